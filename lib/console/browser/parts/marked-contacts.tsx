import { words } from '../words/words.ts'
import { contactParts } from './contact-details.ts'

/** A stranger's text, with contact details marked. */
export const MarkedContacts = ({ children: text }: { children: string }) => (
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
