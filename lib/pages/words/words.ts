/** The bounds of a password's length, in characters. */
type PasswordLengths = { min: number; max: number }

/** One language's words for the pages that customers see. */
export type PageWords = {
  /** The success of a mailed link. */
  done: string
  /** The success of switching mails of a kind off. */
  stopped: string
  /** The label of the field for a new password. */
  newPassword: string
  /** The rules for a new password, shown before it is typed. */
  passwordRule: (lengths: PasswordLengths) => string
  /** Why a password is refused: its length, that it is common, or that it is the person's own name or address. */
  weakPassword: { length: (lengths: PasswordLengths) => string; common: string; own: string }
  /** The label of the field for an address. */
  email: string
  /** The error below the field when the typed text is no address. */
  notAnEmail: string
  /** The page of a link that is used, expired or unknown. */
  gone: { title: string; text: string }
  /** The question that unfolds the offer of a new link, below the form of a link's page. */
  linkNotWorking: string
  /** The form that has a new link mailed to the typed address. */
  newLink: { text: string; action: string }
  /** The form that has a link for a new password mailed to the typed address. */
  resetLink: { title: string; text: string; action: string }
  /** Advice where a link that changes an address is not valid. */
  changeAgain: string
  /** Advice where a link that brings back the former address is not valid. */
  undoAgain: string
  /** The answer to a form that has a link mailed: this happens if the address is known. */
  sent: { title: string; text: string }
  /** The error when the address belongs to another account by now. */
  emailTaken: string
  /** The error after too many attempts. */
  tooMany: string
  /** The error when the service failed and changed nothing. */
  failed: string
  /** Advice where the link that switches mails off is not valid. */
  stopAgain: string
  /** Advice where the link to a receipt has expired. */
  receiptAgain: string
  /** The error when a payment has no receipt. */
  noReceipt: string
}
