/**
 * The shape of the English texts, which every other language has: the same names, and functions of the same parameters.
 */
export type TextsLike<T> = T extends string
  ? string
  : T extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { [Name in keyof T]: TextsLike<T[Name]> }
