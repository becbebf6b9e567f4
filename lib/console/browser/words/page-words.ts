/** The shape of some English words: another language says all of them, and takes what they take. */
export type Said<T> = T extends string
  ? string
  : T extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { [Name in keyof T]: Said<T[Name]> }
