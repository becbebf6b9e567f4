import type { NotificationWords } from './words.ts'

/** English. */
export const en: NotificationWords = {
  identityVerified: {
    title: 'Your identity is verified',
    text: 'You need to do nothing more.',
  },
  identityRejected: {
    title: 'Your identity could not be verified',
    text: 'Please send your documents again.',
  },
  identityExpired: {
    title: 'Your verification has expired',
    text: 'Please send a valid document to be verified again. Until then customers do not see your listings.',
  },
  identityExpiring: ({ until }) => ({
    title: 'Your verification expires soon',
    text: `It is good until ${until}. Please send a valid document before then.`,
  }),
  passwordChanged: ({ at }) => ({
    title: 'Your password was changed',
    text: `It was changed on ${at}. If it was not you, ask for a new password at once.`,
  }),
  passwordReset: ({ at, count }) => ({
    title: 'Your password was reset',
    text: `A new password was chosen by a mailed link on ${at}, and every device was signed out. API keys that it ended: ${count}. If it was not you, ask for a new password at once.`,
  }),
  emailChanged: ({ at }) => ({
    title: 'Your e-mail address was changed',
    text: `Your account has a new e-mail address since ${at}. If it was not you, use the link that was mailed to the old address.`,
  }),
  emailRestored: ({ at }) => ({
    title: 'Your e-mail address was restored',
    text: `The change of your e-mail address was undone on ${at}, and every device was signed out. Choose a new password with the link that we mailed to you.`,
  }),
  signedInElsewhere: ({ at }) => ({
    title: 'New sign-in to your account',
    text: `Your account was signed in to on ${at}, from a device and a network that we had not seen before. If it was not you, end that session and change your password.`,
  }),
  sessionReused: ({ at }) => ({
    title: 'We ended a session to protect your account',
    text: `On ${at} a spent key of that session was used again, which may mean that it was copied. Please sign in again, and change your password if in doubt.`,
  }),
  secondFactorAdded: ({ at }) => ({
    title: 'A second factor was added to your account',
    text: `A passkey or an authenticator app was added on ${at}. If it was not you, remove it and change your password at once.`,
  }),
  secondFactorRemoved: ({ at }) => ({
    title: 'A second factor was removed from your account',
    text: `A passkey or an authenticator app was removed on ${at}. If it was not you, change your password at once.`,
  }),
  secondFactorToBeRemoved: ({ at }) => ({
    title: 'The second factors of your account will be removed',
    text: `On ${at} our support was asked to remove them; it happens 24 hours later. If it was not you, sign in with your authenticator app or passkey before then, which cancels it, and change your password.`,
  }),
  secondFactorRefused: ({ at }) => ({
    title: 'Wrong codes at your sign-in',
    text: `Ten wrong codes were entered by ${at}, after your right password. If it was not you, change your password at once: somebody knows it.`,
  }),
  apiKeyMade: ({ at }) => ({
    title: 'An API key was made',
    text: `A key that acts for you was made on ${at}. If it was not you, delete it and change your password.`,
  }),
  apiKeyDeleted: ({ at }) => ({
    title: 'An API key was deleted',
    text: `A key that acted for you was deleted on ${at}. What used it no longer works.`,
  }),
  listingPublished: ({ listing }) => ({
    title: `“${listing}” is published`,
    text: 'Customers can find it now.',
  }),
  listingRejected: ({ listing }) => ({
    title: `“${listing}” was not accepted`,
    text: 'You can change it and submit it again.',
  }),
  listingSuspended: ({ listing }) => ({
    title: `“${listing}” was suspended`,
    text: 'A moderator suspended this listing. Customers no longer see it.',
  }),
  revisionPublished: ({ listing }) => ({
    title: `Your changes to “${listing}” are published`,
    text: 'Customers see them now.',
  }),
  revisionRejected: ({ listing }) => ({
    title: `Your changes to “${listing}” were not accepted`,
    text: 'The listing stays published as it was.',
  }),
  enquiryReceived: ({ person, listing }) => ({
    title: `New enquiry about “${listing}”`,
    text: `${person} has written to you.`,
  }),
  enquiryAnswered: ({ person, listing }) => ({
    title: `New message about “${listing}”`,
    text: `${person} has written to you.`,
  }),
  visitSet: ({ person, listing, visit }) => ({
    title: `A visit to “${listing}” is planned`,
    text: `${person} expects you on ${visit}.`,
  }),
  visitCancelled: ({ person, listing }) => ({
    title: `The visit to “${listing}” is cancelled`,
    text: `${person} has cancelled it. You can write to agree on another time.`,
  }),
  listingTaken: ({ listing }) => ({
    title: `“${listing}” is no longer available`,
    text: 'It has been sold or let, and your enquiry was closed. You can still write.',
  }),
  paymentSucceeded: ({ amount, receipt }) => ({
    title: `Your payment of ${amount} succeeded`,
    text: `Receipt number: ${receipt}`,
  }),
  refundStarted: ({ amount }) => ({
    title: `A refund of ${amount} has begun`,
    text: 'It may take a few days until the money is in your account.',
  }),
  refundDone: ({ amount }) => ({
    title: `A refund of ${amount} is done`,
    text: 'The money was sent back the way it was paid.',
  }),
  refundFailed: ({ amount }) => ({
    title: `A refund of ${amount} failed`,
    text: 'We are looking into it. You need to do nothing.',
  }),
  paymentDisputed: ({ amount }) => ({
    title: `Your payment of ${amount} is disputed`,
    text: 'Your bank or payment service has opened a dispute. The money is held until it is decided.',
  }),
  paymentChargedBack: ({ amount }) => ({
    title: `The dispute about your payment of ${amount} is closed`,
    text: 'It was decided for you, and the disputed money goes back to you.',
  }),
  paymentReceived: ({ person, amount, listing }) => ({
    title: `A payment of ${amount} on “${listing}”`,
    text: `${person} has paid.`,
  }),
  requestPaid: ({ person, amount, listing }) => ({
    title: `Your request for ${amount} was paid`,
    text: `${person} has paid for “${listing}”.`,
  }),
  receivedRefunded: ({ amount, listing }) => ({
    title: `A refund of ${amount} on “${listing}”`,
    text: 'This money went back to the payer.',
  }),
  receivedDisputed: ({ amount, listing }) => ({
    title: `A payment on “${listing}” is disputed`,
    text: `The payer’s bank or payment service disputes the payment of ${amount}.`,
  }),
  receivedChargedBack: ({ amount, listing }) => ({
    title: `A payment on “${listing}” was charged back`,
    text: `The dispute about the payment of ${amount} was decided for the payer.`,
  }),
  payoutPaid: ({ amount }) => ({
    title: `Your payout of ${amount} is paid`,
    text: 'The money has left for your account.',
  }),
  payoutFailed: ({ amount }) => ({
    title: `Your payout of ${amount} failed`,
    text: 'The money is back in your balance. Please check your payout account.',
  }),
  payoutAccountChanged: ({ at }) => ({
    title: 'Your payout account was changed',
    text: `It was changed on ${at}. If it was not you, change your password at once and write to us.`,
  }),
  paymentRequested: ({ person, amount, listing }) => ({
    title: `You are asked to pay ${amount}`,
    text: `${person} asks for this payment for “${listing}”.`,
  }),
  paymentRequestDue: ({ person, amount, listing, until }) => ({
    title: `A payment of ${amount} is due`,
    text: `${person} asks for this payment for “${listing}” by ${until}.`,
  }),
  paymentRequestOverdue: ({ person, amount, listing }) => ({
    title: `A payment of ${amount} is overdue`,
    text: `${person} still waits for this payment for “${listing}”. You can pay it all the same.`,
  }),
  favouriteReduced: ({ listing, amount, before }) => ({
    title: `“${listing}” now costs ${amount}`,
    text: `Before, it was ${before}.`,
  }),
  favouriteTaken: ({ listing }) => ({
    title: `“${listing}” was taken`,
    text: 'This favourite of yours has been sold or let.',
  }),
  favouriteGone: ({ listing }) => ({
    title: `“${listing}” is no longer listed`,
    text: 'This favourite of yours is not public at the moment.',
  }),
  searchMatched: ({ search, count }) => ({
    title: `New listings for “${search}”`,
    text: `Number found: ${count}`,
  }),
  listingReportActed: {
    title: 'Thank you for your report',
    text: 'We have looked at the listing that you reported, and have acted.',
  },
  enquiryReportActed: {
    title: 'Thank you for your report',
    text: 'We have looked at the enquiry that you reported, and have acted.',
  },
}
