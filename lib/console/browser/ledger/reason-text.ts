import { codes } from '../words/words.ts'

/** Why something was posted, in the reader's words: what of a payment or a payout it is, and a correction's note. */
export const reasonText = (reason: string): string =>
  reason.startsWith('correction: ')
    ? reason.replace('correction', codes.posting['correction'] ?? '')
    : [
        ...new Set(
          reason
            .split(', ')
            .map((part) => codes.posting[part.split(':')[0] ?? ''] ?? codes.said[part] ?? part),
        ),
      ].join(', ')
