import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const PICTURE = join(import.meta.dirname, '../../local/demo/house.jpg')

/** A form with a picture that no other has the bytes of. */
export async function formWith(fields: Readonly<Record<string, string>>): Promise<FormData> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([await readFile(PICTURE), randomUUID()], { type: 'image/jpeg' }), 'house.jpg')
  return form
}

/** A form with a floor plan of one empty page. */
export function planForm(): FormData {
  const form = new FormData()
  form.append('file', new Blob([PLAN, `% ${randomUUID()}\n%%EOF\n`]), 'plan.pdf')
  return form
}

const PLAN = `%PDF-1.7
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj
trailer<</Root 1 0 R>>
`

/** A text in an answer, by its path. */
export function text(answer: unknown, ...path: readonly string[]): string {
  const found = path.reduce<unknown>(
    (value, name) => (value as Record<string, unknown> | undefined)?.[name],
    answer,
  )
  if (typeof found !== 'string') throw new Error(`The answer has no ${path.join('.')}`)
  return found
}
