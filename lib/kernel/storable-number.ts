/** Returns a number that DynamoDB stores: it has none between 0 and 1E-130. A number below 1E-100 becomes 0. */
export const storableNumber = (value: number): number => (Math.abs(value) < 1e-100 ? 0 : value)
