import type { Schema } from '../api/schemas.ts'

/** What administrators change of a webhook, as one text: another text is another version. */
export const versionOf = ({ url, types, description, status }: Schema<'Webhook'>): string =>
  JSON.stringify([url, types, description, status])
