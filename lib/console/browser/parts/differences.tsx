import { codes, words } from '../words/words.ts'
import { MarkedContacts } from './marked-contacts.tsx'
import { type Piece, wordDifferences } from './word-differences.ts'

/** A changed field. */
export type Difference = { field: string; before: string; after: string }

/** Returns the fields of `after` whose value differs in `before`. */
export const differencesBetween = (
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): Difference[] =>
  Object.keys(after).flatMap((field) =>
    before[field] === after[field] ? [] : [{ field, before: before[field] ?? '', after: after[field] ?? '' }],
  )

/** Old and new values of fields side by side, with the different words marked. */
export const Differences = ({ of, label }: { of: readonly Difference[]; label: string }) => (
  <table class="differences" aria-label={label}>
    <thead>
      <tr>
        <th scope="col">{words.common.field}</th>
        <th scope="col">{words.common.before}</th>
        <th scope="col">{words.common.after}</th>
      </tr>
    </thead>
    <tbody>
      {of.map((difference) => (
        <Row key={difference.field} {...difference} />
      ))}
    </tbody>
  </table>
)

function Row({ field, before, after }: Difference) {
  const pieces = wordDifferences(before, after)
  return (
    <tr>
      <th scope="row">{codes.listingField[field] ?? field}</th>
      <td dir="auto">{before ? <Pieces of={pieces.before} as="del" /> : '–'}</td>
      <td dir="auto">{after ? <Pieces of={pieces.after} as="ins" /> : '–'}</td>
    </tr>
  )
}

/** A text with the words that the other one lacks struck out or underlined. `MarkedContacts` marks contact details in it. */
export const Pieces = ({ of, as: Own }: { of: readonly Piece[]; as: 'del' | 'ins' }) => (
  <>
    {of.map(({ text, isOwn }, index) =>
      isOwn ? (
        <Own key={index}>
          <MarkedContacts>{text}</MarkedContacts>
        </Own>
      ) : (
        <MarkedContacts key={index}>{text}</MarkedContacts>
      ),
    )}
  </>
)
