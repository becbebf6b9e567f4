import type { MailWords } from './words.ts'

/** English. */
export const en: MailWords = {
  links: {
    'password-reset': ({ lifetime }) => ({
      title: 'Choose a new password',
      text: 'Somebody, hopefully you, asked to choose a new password for your account.',
      action: 'Choose a new password',
      closing: `The link works once and for ${lifetime}. A new password signs you out on every device. If you did not ask for this, ignore this message: nothing changes.`,
    }),
    'email-verification': ({ lifetime }) => ({
      title: 'Confirm your e-mail address',
      text: 'An account was registered with this e-mail address. If it is yours, please confirm it.',
      action: 'Confirm the address',
      closing: `The link works for ${lifetime}. If you did not register, do not open it. You can take the address back by asking for a new password.`,
    }),
    'email-change': ({ lifetime }) => ({
      title: 'Confirm your new e-mail address',
      text: 'Somebody, hopefully you, asked to use this e-mail address for an account.',
      action: 'Use this address',
      closing: `The link works once and for ${lifetime}. If you did not ask for this, ignore this message: nothing changes.`,
    }),
    'email-undo': ({ lifetime }) => ({
      title: 'Your e-mail address was changed',
      text: 'Your account now has another e-mail address. If it was not you, undo the change: the old address returns, every device is signed out, and you choose a new password.',
      action: 'Undo the change',
      closing: `The link works for ${lifetime}. If you changed the address yourself, you need to do nothing.`,
    }),
  },
  emailChangeAsked: {
    title: 'Another e-mail address was asked for',
    text: 'Somebody who is signed in to your account asked to change its e-mail address. Nothing changes until the new address is confirmed. If it was not you, change your password.',
  },
  emailTaken: {
    title: 'Somebody asked for your e-mail address',
    text: 'Somebody asked to use this e-mail address for another account. It belongs to yours, so nothing changes. If it was you, sign in with this address instead.',
  },
  orOpen: 'If the button does not work, open this address:',
  message: 'Our message to you:',
  always: 'Mail about your identity and the security of your account is always sent.',
  stop: {
    listings: 'No more mail about my listings',
    enquiries: 'No more mail about enquiries',
    payments: 'No more mail about payments',
    favourites: 'No more mail about my favourites',
    searches: 'No more mail about my saved searches',
  },
}
