import { codes } from '../words/words.ts'

/**
 * Translates the reason of a posting: `correction: <note>`, whose note stays, or parts such as `charge:<id>, fee`, of
 * which the code before the colon is translated. Equal words appear once.
 */
export const reasonText = (reason: string): string =>
  reason.startsWith('correction: ')
    ? reason.replace('correction', codes.posting['correction'] ?? '')
    : [
        ...new Set(
          reason
            .split(', ')
            .map((part) => codes.posting[part.split(':')[0] ?? ''] ?? codes.otherCode[part] ?? part),
        ),
      ].join(', ')
