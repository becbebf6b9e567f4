import * as z from 'zod'
import { PROBLEMS } from '#lib/http/problems'
import type { FieldError } from '#lib/kernel/domain-error'
import type { DocumentedContent } from './operation.ts'
import { referenceTo } from './schemas.ts'

type Fields = Record<keyof FieldError, z.ZodType>

z.object({
  type: z.string().meta({ description: 'A stable address that ends in the code' }),
  title: z.string().meta({ description: 'The same for every occurrence of a code' }),
  status: z.int(),
  code: z.enum(Object.keys(PROBLEMS)),
  detail: z.string().meta({ description: 'This occurrence' }),
  requestId: z.string(),
  errors: z
    .array(z.object({ path: z.string(), code: z.string(), message: z.string() } satisfies Fields))
    .optional(),
}).meta({
  id: 'Problem',
  description: 'RFC 9457. Some codes add members, such as `from`, `to` and `allowed`.',
})

/** What a client reads of every refusal. */
export const PROBLEM_CONTENT: DocumentedContent = {
  'application/problem+json': { schema: referenceTo('Problem', 'output') },
}
