/** The typed messages of a decision: one for a consent, one for a refusal. */
export type DecisionMessages = {
  message: string
  /** Undefined until the reader types a message for a refusal. Until then a refusal shows `message`. */
  refusalMessage?: string
}

/** Returns the message that goes with a refusal or a consent. */
export const messageFor = (isRefusal: boolean, { message, refusalMessage }: DecisionMessages): string =>
  isRefusal ? (refusalMessage ?? message) : message

/** Returns a typed text as the message of a refusal or of a consent. */
export const editedMessage = (isRefusal: boolean, written: string): Partial<DecisionMessages> =>
  isRefusal ? { refusalMessage: written } : { message: written }
