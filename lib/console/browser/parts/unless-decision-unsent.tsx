import type { ComponentChildren } from 'preact'
import { heldOn, isHeldElsewhere } from '../app/held.ts'
import { words } from '../words/words.ts'

type Props = { subjects: readonly string[]; children: ComponentChildren }

/** Shows a decision's form. While an earlier decision on one of its subjects has not reached the API, says so instead. */
export function UnlessDecisionUnsent({ subjects, children }: Props) {
  const held = heldOn(subjects)
  if (held === undefined) return <>{children}</>
  return (
    <section class="decision" aria-label={words.decision.title}>
      <h2>{words.decision.title}</h2>
      <p>
        <bdi>{held.text}</bdi>
      </p>
      <p class="quiet">{isHeldElsewhere(held) ? words.held.elsewhere : words.held.notSent}</p>
    </section>
  )
}
