/** The messages of a decision that is being made: what is written for a refusal goes with no consent. */
export type DecisionMessages = {
  message: string
  /** Unset until it is written: the message is then the same. */
  refusalMessage?: string
}

/** The message that goes with a refusal or a consent. */
export const messageFor = (isRefusal: boolean, { message, refusalMessage }: DecisionMessages): string =>
  isRefusal ? (refusalMessage ?? message) : message

/** What a reader wrote while a refusal or a consent was chosen. */
export const messageOf = (isRefusal: boolean, written: string): Partial<DecisionMessages> =>
  isRefusal ? { refusalMessage: written } : { message: written }
