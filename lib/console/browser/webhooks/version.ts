import type { Schema } from '../api/schemas.ts'

/** Returns the fields of a webhook that administrators change, as one text by which two versions are compared. */
export const versionOf = ({ url, types, description, status }: Schema<'Webhook'>): string =>
  JSON.stringify([url, types, description, status])
