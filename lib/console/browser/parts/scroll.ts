import { signal } from '@preact/signals'

/** How far the page is scrolled, and how much of it is seen, in pixels. */
export const scrolled = signal({ top: 0, height: innerHeight })

const note = () => {
  scrolled.value = { top: scrollY, height: innerHeight }
}
addEventListener('scroll', note, { passive: true })
addEventListener('resize', note)
