import type { Spec } from '#lib/http/spec'
import { call } from './call.ts'

type Page<Item> = { items: Item[]; nextCursor: string | null }

/** Every page of a list, as a client would walk it. */
export async function pagesOf<Item>(
  spec: Spec,
  token: string,
  query: Record<string, string> = {},
): Promise<Item[][]> {
  const pages: Item[][] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { status, body, text } = await call(spec, { token, query: { ...query, ...(cursor && { cursor }) } })
    if (status !== 200) throw new Error(text)
    const page: Page<Item> = body
    pages.push(page.items)
    cursor = page.nextCursor
  }
  return pages
}
