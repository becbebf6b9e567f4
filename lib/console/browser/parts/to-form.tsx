/** Leads to the form of a page where it stands below everything else; elsewhere it is beside what it is about. */
export const ToForm = ({ children }: { children: string }) => (
  <button type="button" class="to-form" onClick={showForm}>
    {children} <span aria-hidden="true">↓</span>
  </button>
)

function showForm(): void {
  const form = document.querySelector<HTMLElement>('.split form, .split .decision')
  if (!form) return
  form.scrollIntoView()
  // Not a field of it: on a telephone that would open the keyboard over it.
  form.tabIndex = -1
  form.focus({ preventScroll: true })
}
