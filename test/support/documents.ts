import { spec as uploadKycDocument } from '#functions/kyc/upload-kyc-document'
import { type Call, call } from './call.ts'
import { filePart, multipartBody, type PartLines, textPart } from './multipart.ts'
import { SAMPLES } from './samples.ts'

const BOUNDARY = 'passport'

/** A request of the given parts. */
export const form = (...parts: PartLines[]): Pick<Call, 'rawBody' | 'headers'> => ({
  rawBody: multipartBody(BOUNDARY, parts),
  headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
})

/** A photograph that differs from every other with another `mark`. */
export const photograph = (mark = ''): Buffer =>
  Buffer.concat([Buffer.from(SAMPLES.jpeg, 'base64'), Buffer.from(mark)])

/** Hands in a document through the whole stack. */
export const handIn = (
  token: string,
  { type = 'passport', content = photograph() }: { type?: string; content?: Buffer } = {},
) => call(uploadKycDocument, { token, ...form(filePart(content), textPart(type, 'type')) })
