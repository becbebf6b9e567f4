import { useEffect } from 'preact/hooks'
import { words } from '../words/words.ts'
import { focusContent } from './content.ts'
import { canUndo, countdownNow, type HeldDecision, heldDecisions, sendNow, undo } from './held.ts'
import { useKeys } from './keys.ts'
import { renewSignIn } from './renewal.ts'
import { latestToastUndo, Toasts } from './toasts.tsx'

/** The held decisions and the latest messages. The key `z` undoes the newest held decision or, without one, message. */
export function Messages() {
  const undoToast = latestToastUndo()
  const latest = heldDecisions.value.findLast(canUndo)
  const undoNewest = latest ? () => undo(latest) : undoToast
  // The focus is lost when a decision removes its own form. From the content, Tab reaches the button that undoes it.
  useEffect(() => {
    if (document.activeElement === document.body) focusContent()
  }, [latest?.id])
  useKeys(undoNewest ? [{ keys: 'z', does: words.common.undo, run: undoNewest }] : [])
  return (
    <div class="toasts">
      {heldDecisions.value.map((held) => (
        <Held key={held.id} decision={held} isLatest={held === latest} />
      ))}
      <Toasts hasKey={latest === undefined} />
    </div>
  )
}

function Held({ decision, isLatest }: { decision: HeldDecision; isLatest: boolean }) {
  const { text, state } = decision
  return (
    <div class="toast" role="status">
      <span>
        <bdi>{text}</bdi> <HeldState of={decision} />
      </span>
      <span class="buttons">
        {canUndo(decision) && (
          <button type="button" class="plain" onClick={() => undo(decision)}>
            {state === 'stale' ? words.held.open : words.common.undo} {isLatest && <kbd>z</kbd>}
          </button>
        )}
        {state === 'held' && (
          <button type="button" class="plain" onClick={() => sendNow(decision)}>
            {words.held.sendNow}
          </button>
        )}
        {state === 'old_sign_in' && (
          <button type="button" class="plain" onClick={({ currentTarget }) => renewSignIn(currentTarget)}>
            {words.session.renew}
          </button>
        )}
      </span>
    </div>
  )
}

/** The seconds for which a decision is still held, which screen readers skip, or what it waits for. */
function HeldState({ of: { state, sendsAt } }: { of: HeldDecision }) {
  if (state === 'held')
    return (
      <span class="countdown" aria-hidden="true">
        {words.held.seconds(Math.max(0, Math.ceil((sendsAt - countdownNow.value) / 1_000)))}
      </span>
    )
  return <span>{words.held.states[state]}</span>
}
