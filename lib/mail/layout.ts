import { layOutHtml } from './layout-html.ts'
import { layOutText } from './layout-text.ts'
import type { MailContent } from './mail-content.ts'
import type { Mail } from './mailer.ts'

/** Makes a content a mail: a subject, and the same twice, as text and as HTML. */
export const layOut = (content: MailContent): Omit<Mail, 'to'> => ({
  subject: content.title,
  text: layOutText(content),
  html: layOutHtml(content),
})
