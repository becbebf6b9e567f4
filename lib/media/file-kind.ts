import * as z from 'zod'

/** The kind of a file that people add. */
export const FileKind = z.enum(['image', 'video', 'document'])
export type FileKind = z.infer<typeof FileKind>
