import * as z from 'zod'

/** The facts of one rendered picture: its size and the format in which it is encoded. */
export const VariantFacts = z.object({
  name: z.enum(['thumb', 'card', 'full']),
  contentType: z.enum(['image/webp', 'image/jpeg']),
  width: z.int(),
  height: z.int(),
})
export type VariantFacts = z.infer<typeof VariantFacts>
