/** Puts the focus at the beginning of the page's content, before its messages. */
export const focusContent = (): void => document.getElementById('content')?.focus({ preventScroll: true })
