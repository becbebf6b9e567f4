import { layOutHtml } from './layout-html.ts'
import { layOutText } from './layout-text.ts'
import type { MailContent } from './mail-content.ts'
import type { Mail } from './mailer.ts'

/** Lays a content out as a mail: the subject, and the same content as text and as HTML. */
export const layOut = (content: MailContent): Omit<Mail, 'to'> => ({
  subject: content.title,
  text: layOutText(content),
  html: layOutHtml(content),
})
