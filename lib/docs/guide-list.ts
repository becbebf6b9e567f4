import { readFileSync } from 'node:fs'
import { titleOf } from './markdown.ts'

/** The guides in the order in which they are read; each is a file of `guides/`. */
const GUIDES = [
  'first-call',
  'signing-in',
  'errors',
  'pagination',
  'idempotency',
  'money',
  'payouts',
  'typed-client',
  'front-end',
  'callbacks',
  'gateway',
  'webhooks',
  'copy',
  'import',
  'administering',
  'operating',
] as const

/** The guides for the people who run the service. */
const OPERATORS: readonly string[] = ['gateway', 'administering', 'operating']

/** A guide: Markdown whose `sh` blocks, guide after guide, run in one shell against the local stack. */
export type Guide = { id: string; title: string; markdown: string; isForOperators: boolean }

/** Reads every guide from the repository. */
export const readGuides = (): Guide[] =>
  GUIDES.map((id) => {
    const markdown = readFileSync(new URL(`guides/${id}.md`, import.meta.url), 'utf8')
    return { id, title: titleOf(markdown), markdown, isForOperators: OPERATORS.includes(id) }
  })
