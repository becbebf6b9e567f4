/** The least and the most that can be paid at once, in minor units, both included. */
export type AmountLimit = { min: number; max: number }
