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

/** A text in an answer, by its path. */
export function text(answer: unknown, ...path: readonly string[]): string {
  const found = path.reduce<unknown>(
    (value, name) => (value as Record<string, unknown> | undefined)?.[name],
    answer,
  )
  if (typeof found !== 'string') throw new Error(`The answer has no ${path.join('.')}`)
  return found
}
