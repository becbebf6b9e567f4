import { readdir, readFile } from 'node:fs/promises'

/** What a function sent to AWS while it was tested. */
export type Sent = {
  /** The function's first route, or a job's name. */
  by: string
  /** The client's name, such as `DynamoDB`. */
  service: string
  /** The command's name, such as `GetItem`. */
  command: string
  /** What the command touched, by its place: beginnings of partitions of `table` or an index, folders of a bucket by its name in the template. */
  touched: Record<string, string[]>
}

/** Where the tests leave their recordings, one file for each test file. */
export const RECORDINGS = new URL('../../../node_modules/.cache/platform-api/sent/', import.meta.url)

/** Everything that was recorded, each once. Throws when the tests were not run. */
export async function readRecordings(): Promise<Sent[]> {
  const files = await readdir(RECORDINGS)
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, RECORDINGS), 'utf8')))
  const lines = new Set(texts.flatMap((text) => text.split('\n')).filter((line) => line !== ''))
  return [...lines].map((line): Sent => JSON.parse(line))
}
