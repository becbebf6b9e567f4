/** The typed message of a decision, apart for a consent and for a refusal. */
export type DecisionMessages = {
  message: string
  /** Undefined until the reader types it; until then `message` takes its place. */
  refusalMessage?: string
}

/** The message that goes with a refusal or a consent. */
export const messageFor = (isRefusal: boolean, { message, refusalMessage }: DecisionMessages): string =>
  isRefusal ? (refusalMessage ?? message) : message

/** Returns a typed text as the message of a refusal or of a consent. */
export const messageOf = (isRefusal: boolean, written: string): Partial<DecisionMessages> =>
  isRefusal ? { refusalMessage: written } : { message: written }
