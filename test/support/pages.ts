import type * as z from 'zod'
import type { Spec } from '#lib/http/spec'
import { call } from './call.ts'

type Page<Item> = { items: Item[]; nextCursor: string | null }

/** An endpoint that lists items. */
export type ListSpec<Item> = Spec<{ 200: z.ZodType<Page<Item>> }>

/** Every page of a list, as a client would walk it. */
export async function pagesOf<Item>(
  spec: ListSpec<Item>,
  token: string,
  query: Record<string, string> = {},
): Promise<Item[][]> {
  const pages: Item[][] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { status, text } = await call(spec, { token, query: { ...query, ...(cursor && { cursor }) } })
    if (status !== 200) throw new Error(text)
    const page: Page<Item> = JSON.parse(text)
    pages.push(page.items)
    cursor = page.nextCursor
  }
  return pages
}
