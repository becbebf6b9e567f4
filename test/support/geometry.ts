import type { Page } from 'playwright-core'

/**
 * What is wrong with a page as it is laid out: text beside the window, text that its box cuts off without an ellipsis and
 * a title, and text over other text.
 */
export const layoutFaults = (page: Page): Promise<string[]> => page.evaluate(MEASURE)

const MEASURE = `(() => {
  const TOLERANCE = 1
  const faults = []
  const heightOf = ({ box }) => box.bottom - box.top
  if (document.documentElement.scrollWidth > innerWidth) faults.push('the page scrolls sideways')
  // Asked once for each element: the browser computes a style anew each time.
  const seen = new Map()
  const styleOf = (element) => {
    if (!seen.has(element)) {
      const { overflowX, textOverflow, webkitLineClamp, position } = getComputedStyle(element)
      const isPinned =
        ['sticky', 'fixed'].includes(position) ||
        (element.parentElement !== null && styleOf(element.parentElement).isPinned)
      const frame = element.getBoundingClientRect()
      const hasEllipsis = textOverflow === 'ellipsis' || webkitLineClamp !== 'none'
      seen.set(element, { overflowX, hasEllipsis, frame, isPinned })
    }
    return seen.get(element)
  }
  const texts = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    const element = node.parentElement
    if (!node.data.trim() || !element.checkVisibility({ visibilityProperty: true })) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const { left, right, top, bottom } of range.getClientRects()) {
      const text = node.data.trim().slice(0, 40)
      // What is wholly before the window waits for the focus there.
      if (right > Math.max(0, left) && bottom > top) texts.push({ box: { left, right, top, bottom }, element, text })
    }
  }
  for (const { box, element, text } of texts) {
    if (box.left < -TOLERANCE || box.right > innerWidth + TOLERANCE) faults.push('beside the window: ' + text)
    for (let around = element; around && around !== document.documentElement; around = around.parentElement) {
      const { overflowX, hasEllipsis, frame } = styleOf(around)
      const isBox = around.matches('button, input, td, th, dd, dt')
      if (overflowX === 'visible' && !isBox) continue
      const isSaid = hasEllipsis && around.closest('[title]') !== null
      const isScrolled = ['auto', 'scroll'].includes(overflowX)
      const isBeside = box.left < frame.left - TOLERANCE || box.right > frame.right + TOLERANCE
      const isBelow = overflowX !== 'visible' && (box.bottom + box.top) / 2 > frame.bottom
      if ((isBeside || isBelow) && !isScrolled && !isSaid) faults.push('cut: ' + text)
      // Only what is seen can lie over something else.
      if (overflowX !== 'visible') {
        box.left = Math.max(box.left, frame.left)
        box.right = Math.min(box.right, frame.right)
        box.bottom = Math.min(box.bottom, frame.bottom)
        box.top = Math.max(box.top, frame.top)
      }
    }
  }
  // From the top down: below the bottom of one nothing lies over it.
  texts.sort((one, other) => one.box.top - other.box.top)
  for (const [index, one] of texts.entries()) {
    for (let next = index + 1; texts[next]?.box.top < one.box.bottom; next++) {
      const other = texts[next]
      if (one.element === other.element) continue
      const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
      const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
      // Boxes of lines are taller than their letters.
      const isOver = width > TOLERANCE && height > Math.min(heightOf(one), heightOf(other)) / 3
      // What stays at an edge of the window has the page pass under it.
      const isUnder = styleOf(one.element).isPinned !== styleOf(other.element).isPinned
      if (isOver && !isUnder) faults.push('over each other: ' + one.text + ' / ' + other.text)
    }
  }
  return [...new Set(faults)]
})()`
