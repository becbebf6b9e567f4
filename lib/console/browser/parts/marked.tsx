import { words } from '../words/words.ts'
import { contactParts } from './contact-details.ts'

/** What a stranger typed, in which contact details stand out. */
export const Marked = ({ children: text }: { children: string }) => (
  <>
    {contactParts(text).map((part, index) =>
      part.isContact ? (
        <mark key={index} title={words.common.contact}>
          {part.text}
        </mark>
      ) : (
        part.text
      ),
    )}
  </>
)
