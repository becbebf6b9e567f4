/**
 * The type of another language's texts: the names of the English ones, and functions with the same parameters.
 */
export type TextsLike<T> = T extends string
  ? string
  : T extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { [Name in keyof T]: TextsLike<T[Name]> }
