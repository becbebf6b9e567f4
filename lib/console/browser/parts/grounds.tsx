import { type ReasonAbout, reasonLabel, words } from '../words/words.ts'

/** Why something was decided: the reasons in words, the message to the person, and the administrators' note. */
export const Grounds = ({
  of: { reasons, message, note },
  about,
}: {
  of: { reasons: readonly string[]; message: string | null; note?: string | null | undefined }
  about: ReasonAbout
}) => (
  <>
    {reasons.length > 0 && <p>{reasons.map((reason) => reasonLabel(about, reason)).join(' · ')}</p>}
    {message !== null && <p dir="auto">{message}</p>}
    {note != null && (
      <p class="quiet" dir="auto">
        {words.decision.note}: {note}
      </p>
    )}
  </>
)
