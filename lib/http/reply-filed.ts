import { seeOther } from './reply.ts'
import type { RequestFacts } from './request.ts'

/** The most that is answered in place, in bytes; a Lambda function's answer holds 6 MB. */
const INLINE_MAX_BYTES = 5_000_000

/**
 * Answers a page as JSON or, to a caller who accepts comma-separated values, the whole as a file. A file that is too large
 * for an answer is stored, and its address answered.
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
