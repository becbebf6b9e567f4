import { api, type Change, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { confirmed } from '../app/dialog.tsx'
import { sendUnlessUndone } from '../app/held.ts'
import { go, linkTo } from '../app/router.ts'
import { say, sayRefused } from '../app/toasts.tsx'
import { words } from '../words/words.ts'
import { givenSecret } from './secret.ts'

/** Tests a webhook, switches it off and on, renews its secret, and deletes it. */
export function WebhookActions({ webhook }: { webhook: Schema<'Webhook'> }) {
  const { id, url, status } = webhook
  const params = { path: { id } }
  const isActive = status === 'ACTIVE'

  const test = async () => {
    await read(api.POST('/admin/webhooks/{id}/test', { params }))
    say(words.webhooks.tested)
  }
  const decide = (
    what: string,
    change: Change,
    staleKeys: readonly string[] = [`webhook ${id}`, 'webhooks'],
  ) =>
    sendUnlessUndone({
      subject: id,
      text: `${url}: ${what}`,
      link: linkTo('webhooks', id),
      change,
      staleKeys,
      needsRecentSignIn: true,
    })
  const path = `/admin/webhooks/${id}`
  const toggle = async () => {
    decide(isActive ? words.webhooks.disabled : words.webhooks.enabled, {
      path,
      body: { status: isActive ? 'DISABLED' : 'ACTIVE' } satisfies Schema<'ChangeWebhookBody'>,
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
    // The page of the webhook is left: only the list is loaded again.
    decide(words.webhooks.removed, { method: 'DELETE', path }, ['webhooks'])
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
