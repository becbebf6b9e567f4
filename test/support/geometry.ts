import type { Page } from 'playwright-core'

/**
 * What is wrong with a page as it is laid out: text beside the window, text that its box cuts off without an ellipsis and
 * a title, and text over other text.
 */
export const layoutFaults = (page: Page): Promise<string[]> => page.evaluate(MEASURE)

const MEASURE = `(() => {
  const TOLERANCE = 1
  const faults = []
  if (document.documentElement.scrollWidth > innerWidth) faults.push('the page scrolls sideways')
  const texts = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    const element = node.parentElement
    if (!node.data.trim() || !element.checkVisibility({ visibilityProperty: true })) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const box of range.getClientRects()) {
      if (box.width > 0 && box.height > 0) texts.push({ box, element, text: node.data.trim().slice(0, 40) })
    }
  }
  for (const { box, element, text } of texts) {
    if (box.left < -TOLERANCE || box.right > innerWidth + TOLERANCE) faults.push('beside the window: ' + text)
    for (let around = element; around && around !== document.documentElement; around = around.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(around)
      const isBox = around.matches('button, input, td, th, dd, dt')
      if (overflowX === 'visible' && !isBox) continue
      if (textOverflow === 'ellipsis' && around.title) continue
      const frame = around.getBoundingClientRect()
      const isScrolled = ['auto', 'scroll'].includes(overflowX)
      const isCut = box.left < frame.left - TOLERANCE || box.right > frame.right + TOLERANCE
      if (isCut && !isScrolled) faults.push('cut: ' + text)
    }
  }
  for (const [index, one] of texts.entries()) {
    for (const other of texts.slice(index + 1)) {
      if (one.element === other.element) continue
      const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
      const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
      // Boxes of lines are taller than their letters.
      const isOver = width > TOLERANCE && height > Math.min(one.box.height, other.box.height) / 3
      if (isOver) faults.push('over each other: ' + one.text + ' / ' + other.text)
    }
  }
  return [...new Set(faults)]
})()`
