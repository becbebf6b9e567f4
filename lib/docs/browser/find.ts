/** Leaves in the contents the links that hold every word typed, and opens the groups that they are in. */
export function findIn(contents: HTMLElement, field: HTMLElement, none: HTMLElement): void {
  if (!(field instanceof HTMLInputElement)) return
  const items = [...contents.querySelectorAll('li')]
  const groups = [...contents.querySelectorAll('details')]
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
    for (const item of items) {
      const text = `${item.textContent} ${item.querySelector('a')?.hash ?? ''}`.toLowerCase()
      item.hidden = !words.every((word) => text.includes(word))
    }
    for (const group of groups) {
      const hasHits = group.querySelector('li:not([hidden])') !== null
      group.hidden = !hasHits
      if (words.length > 0) group.open = hasHits
    }
    none.hidden = items.some((item) => !item.hidden)
  })
}
