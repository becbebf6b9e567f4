/** The token for requests that are tried; empty without a sign-in. */
type Account = { token: () => string }

type LocalAccount = { id: string; name: string; role: string }

/**
 * Lets a button open the dialog that takes a token: by paste or, on the local stack, by a click on one of its accounts.
 * The token stays in memory: a reload forgets it.
 */
export function accountDialog(button: HTMLElement): Account {
  const dialog = document.querySelector<HTMLDialogElement>('#sign-in')
  const field = document.querySelector<HTMLTextAreaElement>('#token')
  const failed = document.querySelector<HTMLElement>('#sign-in-failed')
  const list = document.querySelector<HTMLElement>('#local-accounts')
  if (!dialog || !field || !failed || !list) throw new Error('The page has no sign-in')
  let token = ''
  const use = (given: string, name: string) => {
    token = given
    button.textContent = given === '' ? 'Sign in' : name
  }
  button.addEventListener('click', () => {
    failed.textContent = ''
    field.value = token
    dialog.showModal()
    if (isLocalStack()) void offerAccounts(list, use, dialog, failed)
  })
  // `returnValue` is the value of the dialog's button that was pressed; `done` after a click on a local account.
  dialog.addEventListener('close', () => {
    if (dialog.returnValue === 'use') use(field.value.trim().replace(/^Bearer\s+/i, ''), 'Signed in')
    if (dialog.returnValue === 'out') use('', '')
  })
  return { token: () => token }
}

/** Whether the page is of the local stack: no deployed service has these names, and the local stack has no other. */
const isLocalStack = (): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)

async function offerAccounts(
  list: HTMLElement,
  use: (token: string, name: string) => void,
  dialog: HTMLDialogElement,
  failed: HTMLElement,
): Promise<void> {
  if (list.childElementCount > 0) return
  const { items }: { items: LocalAccount[] } = await (await fetch('/local/accounts')).json()
  const buttons = items.map(({ id, name, role }) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = `${name}, ${role}`
    button.addEventListener('click', async () => {
      const answer = await fetch(`/local/accounts/${id}`, { method: 'POST' })
      if (!answer.ok) {
        failed.textContent = `${name} could not be signed in: the account is not on this stack.`
        return
      }
      const { accessToken }: { accessToken: string } = await answer.json()
      use(accessToken, name)
      dialog.close('done')
    })
    return button
  })
  list.replaceChildren('On this local stack, sign in as ', ...buttons)
  list.hidden = false
}
