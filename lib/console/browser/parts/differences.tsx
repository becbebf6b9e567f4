import { codes, words } from '../words/words.ts'

/** A field that is not what it was. */
export type Difference = { field: string; before: string; after: string }

/** Two readings of the same thing as fields that differ; only the fields that are named are compared. */
export const differencesBetween = (
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): Difference[] =>
  Object.keys(after).flatMap((field) =>
    before[field] === after[field] ? [] : [{ field, before: before[field] ?? '', after: after[field] ?? '' }],
  )

/** Fields with their old and new values beside each other. */
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
      {of.map(({ field, before, after }) => (
        <tr key={field}>
          <th scope="row">{codes.listingField[field] ?? field}</th>
          <td dir="auto">
            <del>{before || '–'}</del>
          </td>
          <td dir="auto">
            <ins>{after || '–'}</ins>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
