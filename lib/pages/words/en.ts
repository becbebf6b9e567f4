import type { PageWords } from './words.ts'

/** English. */
export const en: PageWords = {
  done: 'Done. You can close this page.',
  stopped: 'Done. You get no more of these mails.',
  newPassword: 'New password',
  passwordRule: ({ min, max }) =>
    `${min} to ${max} characters. No common password, and neither your name nor your e-mail address.`,
  weakPassword: {
    length: ({ min, max }) => `The password must have ${min} to ${max} characters.`,
    common: 'This password is among the common or leaked ones. Please choose another one.',
    own: 'The password must not be your name or your e-mail address.',
  },
  email: 'E-mail address',
  notAnEmail: 'This is not an e-mail address.',
  gone: {
    title: 'This link does not work any more',
    text: 'It was used, it has expired, or a newer link took its place.',
  },
  linkNotWorking: 'Does the link not work?',
  newLink: {
    text: 'Enter your e-mail address, and we send you a new link.',
    action: 'Send me a new link',
  },
  resetLink: {
    title: 'Choose a new password',
    text: 'Enter your e-mail address, and we send you a link to choose a new password.',
    action: 'Send me a link',
  },
  changeAgain:
    'Sign in and ask for the change of your address again. If you cannot sign in, choose a new password first.',
  undoAgain:
    'If your old address is back already, choose a new password with it. If you did not change the address and cannot sign in, please contact us at once.',
  sent: {
    title: 'Please look into your mailbox',
    text: 'If this address belongs to an account, a link is on its way to you. Please look among unwanted mail, too.',
  },
  emailTaken: 'This address belongs to another account now. Nothing was changed.',
  tooMany: 'There were too many attempts. Please try again later.',
  failed: 'Something went wrong on our side, and nothing was changed. Please try again.',
  stopAgain:
    'Please open the link at the end of our newest mail: this one may have been cut off. You can also switch mails off in the settings of your account.',
  receiptAgain: 'A link to a receipt works for five minutes. Please open the receipt of your payment again.',
  noReceipt: 'There is no receipt of this payment.',
}
