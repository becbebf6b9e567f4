import { signal } from '@preact/signals'

/** The scrolled distance and the visible height of the page, in pixels. */
export const scrolled = signal({ top: 0, height: innerHeight })

const note = () => {
  scrolled.value = { top: scrollY, height: innerHeight }
}
addEventListener('scroll', note, { passive: true })
addEventListener('resize', note)
