import { seeOther } from './reply.ts'
import type { RequestFacts } from './request.ts'

/** The largest file, in bytes, that an answer contains: a Lambda function's answer has at most 6 MB. */
const INLINE_MAX_BYTES = 5_000_000

/**
 * Answers with a page of a list as JSON or, if the caller prefers comma-separated values, with the whole list as a CSV
 * file. A file that is too large for an answer is stored, and the caller is redirected to it.
 */
export async function replyFiled<View>(
  { prefersCsv }: RequestFacts,
  {
    view,
    csv,
    store,
  }: { view: () => Promise<View>; csv: () => Promise<string>; store: (csv: string) => Promise<string> },
) {
  if (!prefersCsv) return { status: 200 as const, body: { view: await view() } }
  const file = await csv()
  if (Buffer.byteLength(file) > INLINE_MAX_BYTES) return seeOther(await store(file))
  return { status: 200 as const, body: { csv: file } }
}
