import { readdir, readFile } from 'node:fs/promises'

/** A command that a function sent to AWS while it was tested. */
export type Sent = {
  /** The function's first route, or a job's name. */
  by: string
  /** The client's name, such as `DynamoDB`. */
  service: string
  /** The command's name, such as `GetItem`. */
  command: string
  /**
   * The beginnings of the partitions that the command touched (`USER#`), under `table` or `index/<name>`; or the folders,
   * under the bucket's name in the template.
   */
  touched: Record<string, string[]>
}

export const RECORDINGS = new URL('../../../node_modules/.cache/platform-api/sent/', import.meta.url)

/** Reads the recorded commands, each once. Throws when the tests were not run. */
export async function readRecordings(): Promise<Sent[]> {
  const files = await readdir(RECORDINGS)
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, RECORDINGS), 'utf8')))
  const lines = new Set(texts.flatMap((text) => text.split('\n')).filter((line) => line !== ''))
  return [...lines].map((line): Sent => JSON.parse(line))
}
