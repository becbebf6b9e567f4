/** A message to one person, once as text and once as HTML. */
export type Mail = { to: string; subject: string; text: string; html: string }

/** Hands a message over for delivery. Throws when that fails; a message may then have been sent or not. */
export type Mailer = { send: (mail: Mail) => Promise<void> }
