/** Puts the focus at the beginning of the page, before what was said lately. */
export const focusContent = (): void => document.getElementById('content')?.focus({ preventScroll: true })
