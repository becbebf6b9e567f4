/** Cuts a text to a length. The part of a character that the cut divides is replaced: it could not be stored. */
export const cutText = (text: string, max: number): string => text.slice(0, max).toWellFormed()
