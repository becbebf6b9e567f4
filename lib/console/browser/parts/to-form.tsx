/** A button that leads to the page's form. It is shown in narrow windows, where the form stands below everything else. */
export const ToForm = ({ children }: { children: string }) => (
  <button type="button" class="to-form" onClick={showForm}>
    {children} <span aria-hidden="true">↓</span>
  </button>
)

function showForm(): void {
  const form = document.querySelector<HTMLElement>('.split form, .split .decision')
  if (!form) return
  form.scrollIntoView()
  // The form itself gets the focus: a field would open a telephone's keyboard over the form.
  form.tabIndex = -1
  form.focus({ preventScroll: true })
}
