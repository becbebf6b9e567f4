import type { ComponentChildren } from 'preact'
import { asRefusal } from '../api/refusal.ts'
import type { Schema } from '../api/schemas.ts'
import { useDraft } from '../app/drafts.ts'
import { focusButton, useKeys } from '../app/keys.ts'
import { say } from '../app/toasts.tsx'
import { DecisionForm } from '../parts/decision-form.tsx'
import { Area, SendingFailed, useSending } from '../parts/form.tsx'
import { count } from '../parts/format.ts'
import { mayDo } from '../session/session.ts'
import { words } from '../words/words.ts'

type Outcome = Schema<'ReportOutcome'>

type Props = {
  id: string
  /** The time of the newest report that the reader has seen: a newer one keeps all of them open. */
  upTo: string
  close: (body: Schema<'CloseEnquiryReportsBody'>) => Promise<{ closed: number }>
  reload: () => Promise<void>
  done: () => void
  /** What else can be done about what was reported: its fields, its button, and what Enter in them does. */
  children?: ComponentChildren
  bar?: ComponentChildren
  decide?: () => void
}

/** Closes every report of a subject, as acted on or as dismissed; for moderators. */
export const CloseReports = (props: Props) => (mayDo('moderation') ? <CloseForm {...props} /> : null)

function CloseForm({ id, upTo, close, reload, done, children, bar, decide = () => undefined }: Props) {
  const [note, setNote, clear] = useDraft(`reports ${id}`, '')
  const sending = useSending()
  const closeAs = (outcome: Outcome) =>
    sending.send(async () => {
      try {
        const { closed } = await close({ outcome, upTo, note: note.trim() || null })
        clear()
        say(words.reports.closed(count(closed)))
      } catch (thrown) {
        if (asRefusal(thrown).problem.code === 'version_conflict') {
          say(words.reports.changed, { isBad: true })
          await reload()
        }
        throw thrown
      }
      done()
    })
  useKeys([
    { keys: 'd', does: words.reports.dismiss, run: () => focusButton('d') },
    { keys: 'a', does: words.reports.act, run: () => focusButton('a') },
  ])
  return (
    <DecisionForm
      decide={decide}
      bar={
        <>
          <SendingFailed of={sending} />
          <button type="button" data-key="d" disabled={sending.isBusy} onClick={() => closeAs('DISMISSED')}>
            {words.reports.dismiss} <kbd>d</kbd>
          </button>
          <button
            type="button"
            data-key="a"
            class="primary"
            disabled={sending.isBusy}
            onClick={() => closeAs('ACTED')}
          >
            {words.reports.act} <kbd>a</kbd>
          </button>
          {bar}
        </>
      }
    >
      {children}
      <Area label={words.reports.note} value={note} set={setNote} />
    </DecisionForm>
  )
}
