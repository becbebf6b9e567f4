import type { ComponentChildren } from 'preact'
import { words } from '../words/words.ts'

type Props = { decide: () => void; bar: ComponentChildren; children: ComponentChildren }

/** The form of a decision. Its buttons stay in view while the page or the form's fields scroll. */
export const DecisionForm = ({ decide, bar, children }: Props) => (
  <form
    class="decision pinned"
    aria-label={words.decision.title}
    onSubmit={(event) => {
      event.preventDefault()
      decide()
    }}
  >
    <div class="fields">
      <h2>{words.decision.title}</h2>
      {children}
    </div>
    <div class="buttons verdicts">{bar}</div>
  </form>
)
