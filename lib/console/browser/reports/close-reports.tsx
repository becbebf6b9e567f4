import type { ComponentChildren } from 'preact'
import type { Schema } from '../api/schemas.ts'
import { useDraft } from '../app/drafts.ts'
import { sendUnlessUndone } from '../app/held.ts'
import { focusButton, useKeys } from '../app/keys.ts'
import { goToNext } from '../app/queue.ts'
import { linkTo } from '../app/router.ts'
import { DecisionForm } from '../parts/decision-form.tsx'
import { Area } from '../parts/form.tsx'
import { UnlessDecisionUnsent } from '../parts/unless-decision-unsent.tsx'
import { mayDo } from '../session/session.ts'
import { words } from '../words/words.ts'

type Outcome = Schema<'ReportOutcome'>

type Props = {
  id: string
  /** The reported subject, in words. */
  title: string
  page: 'reports' | 'enquiries'
  /** The time of the newest report that the reader has seen: a newer one keeps all of them open. */
  upTo: string
  /** The path of the API that closes the reports. */
  path: string
  /** The fields of a further action on the reported subject. */
  children?: ComponentChildren
  /** The buttons of that action. */
  bar?: ComponentChildren
  /** The action of Enter in its fields. */
  decide?: () => void
}

/** Closes every report of a subject, as acted on or as dismissed; for moderators. */
export const CloseReports = (props: Props) =>
  mayDo('moderation') ? (
    // A decision on the reports has the subject `<page> <id>`; one on the reported listing itself has its id.
    <UnlessDecisionUnsent subjects={[`${props.page} ${props.id}`, props.id]}>
      <CloseForm {...props} />
    </UnlessDecisionUnsent>
  ) : null

function CloseForm({ id, title, page, upTo, path, children, bar, decide = () => undefined }: Props) {
  const key = `reports ${id}`
  const [note, setNote] = useDraft(key, '')
  const closeAs = (outcome: Outcome) => {
    // The reports of a listing and of an enquiry are closed by the same body.
    const body = { outcome, upTo, note: note.trim() || null } satisfies Schema<'CloseEnquiryReportsBody'>
    sendUnlessUndone({
      subject: `${page} ${id}`,
      text: `${title}: ${outcome === 'ACTED' ? words.reports.act : words.reports.dismiss}`,
      link: linkTo(page, id),
      change: { path, body },
      draft: key,
      staleKeys: page === 'reports' ? [`open reports ${id}`, 'reports'] : [`enquiry ${id}`, 'enquiries'],
    })
    goToNext(page, id)
  }
  useKeys([
    { keys: 'd', does: words.reports.dismiss, run: () => focusButton('d') },
    { keys: 'a', does: words.reports.act, run: () => focusButton('a') },
  ])
  return (
    <DecisionForm
      decide={decide}
      bar={
        <>
          <button type="button" data-key="d" onClick={() => closeAs('DISMISSED')}>
            {words.reports.dismiss} <kbd>d</kbd>
          </button>
          <button type="button" data-key="a" class="primary" onClick={() => closeAs('ACTED')}>
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
