import { useEffect } from 'preact/hooks'
import { say } from '../app/toasts.tsx'
import { words } from '../words/words.ts'
import { givenSecret } from './secret.ts'

/** The secret that was just given out, until the page is left. */
export function SecretShown() {
  useEffect(
    () => () => {
      givenSecret.value = undefined
    },
    [],
  )
  const secret = givenSecret.value
  if (secret === undefined) return null
  const copy = () => navigator.clipboard.writeText(secret).then(() => say(words.common.copied))
  return (
    <div class="notice warn" role="status">
      <p>{words.webhooks.secret}</p>
      <p>
        <code class="secret">{secret}</code>{' '}
        <button type="button" onClick={copy}>
          {words.common.copy}
        </button>
      </p>
    </div>
  )
}
