import { sessionState, signIn, signOut } from '../session/session.ts'
import { words } from '../words/words.ts'

/** The page of a reader who is signing in, has signed out, is no administrator (`outsider`), or was refused. */
export function Threshold() {
  const session = sessionState.value
  // A reader who is `in` sees this page only until the console is drawn in its place.
  if (session.state === 'entering' || session.state === 'in')
    return (
      <main class="threshold">
        <h1>{words.console}</h1>
        <p role="status">{words.session.entering}</p>
      </main>
    )
  const text = {
    out: words.session.out,
    outsider: words.session.outsider,
    failed:
      session.state === 'failed' && session.failure === 'provider_unreachable'
        ? words.session.unreachable
        : words.session.refused,
  }[session.state]
  return (
    <main class="threshold">
      <h1>{words.console}</h1>
      <p role="alert">{text}</p>
      <div class="buttons">
        {session.state === 'outsider' ? (
          <button type="button" onClick={signOut}>
            {words.session.signOut}
          </button>
        ) : (
          <button type="button" class="primary" onClick={signInAgain}>
            {words.session.signIn}
          </button>
        )}
      </div>
    </main>
  )
}

/** Signs in. A page that came without the sign-in provider's endpoints is loaded again: the server inserts them. */
function signInAgain(): void {
  const session = sessionState.value
  if (session.state === 'failed' && session.failure === 'provider_unreachable') location.reload()
  else void signIn()
}
