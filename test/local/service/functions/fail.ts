/** Fails, always. */
export const handler = async (): Promise<never> => {
  throw new Error('as it always does')
}
