import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { forget } from '../api/use-load.ts'
import { confirmed } from '../app/dialog.tsx'
import { go, linkTo } from '../app/router.ts'
import { say, sayRefused } from '../app/toasts.tsx'
import { words } from '../words/words.ts'
import { givenSecret } from './secret.ts'

type Props = { webhook: Schema<'Webhook'>; reload: () => Promise<void> }

/** Tests a webhook, switches it off and on, renews its secret, and deletes it. */
export function WebhookActions({ webhook: { id, url, status }, reload }: Props) {
  const params = { path: { id } }
  const isActive = status === 'ACTIVE'

  const test = async () => {
    await read(api.POST('/admin/webhooks/{id}/test', { params }))
    say(words.webhooks.tested)
  }
  const setStatus = async (to: Schema<'WebhookStatus'>) => {
    await read(api.PATCH('/admin/webhooks/{id}', { params, body: { status: to } }))
    await reload()
  }
  const toggle = async () => {
    await setStatus(isActive ? 'DISABLED' : 'ACTIVE')
    if (!isActive) return say(words.webhooks.enabled)
    say(words.webhooks.disabled, {
      undo: async () => {
        const now = await read(api.GET('/admin/webhooks/{id}', { params }))
        if (now.status !== 'DISABLED' || now.disabledReason !== 'by_administrator') return false
        await setStatus('ACTIVE')
        return true
      },
    })
  }
  const rotate = async () => {
    const question = {
      title: words.webhooks.rotate,
      text: words.webhooks.rotateAsk,
      confirm: words.webhooks.rotate,
    }
    if (!(await confirmed(question))) return
    const { secret } = await read(api.POST('/admin/webhooks/{id}/rotate', { params }))
    givenSecret.value = secret
  }
  const remove = async () => {
    const question = {
      title: `${words.webhooks.remove}: ${url}`,
      text: words.webhooks.removeAsk,
      confirm: words.webhooks.remove,
    }
    if (!(await confirmed(question))) return
    await read(api.DELETE('/admin/webhooks/{id}', { params }))
    forget(`webhook ${id}`)
    say(words.webhooks.removed)
    go(linkTo('webhooks'))
  }
  const actions = [
    [words.webhooks.test, test, ''],
    [isActive ? words.webhooks.disable : words.webhooks.enable, toggle, ''],
    [words.webhooks.rotate, rotate, ''],
    [words.webhooks.remove, remove, 'danger'],
  ] as const
  return (
    <div class="buttons">
      {actions.map(([text, run, style]) => (
        <button key={text} type="button" class={style} onClick={() => run().catch(sayRefused)}>
          {text}
        </button>
      ))}
    </div>
  )
}
