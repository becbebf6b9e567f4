import { layOutHtml } from './layout-html.ts'
import { layOutText } from './layout-text.ts'
import type { Letter } from './letter.ts'
import type { Mail } from './mailer.ts'

/** Makes a letter a mail: a subject, and the same twice, as text and as HTML. */
export const layOut = (letter: Letter): Omit<Mail, 'to'> => ({
  subject: letter.title,
  text: layOutText(letter),
  html: layOutHtml(letter),
})
