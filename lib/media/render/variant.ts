import * as z from 'zod'

/** The facts of one rendered picture: its size, the format in which it is encoded, and the page that it shows. */
export const VariantFacts = z.object({
  name: z.enum(['thumb', 'card', 'full']),
  contentType: z.enum(['image/webp', 'image/jpeg']),
  width: z.int().meta({ example: 320 }),
  height: z.int().meta({ example: 240 }),
  page: z.int().nullable().default(null).meta({
    description: 'Of a PDF the number of the page, from 1; null for the variants of a picture',
  }),
})
export type VariantFacts = z.infer<typeof VariantFacts>
