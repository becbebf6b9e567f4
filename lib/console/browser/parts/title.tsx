import { useEffect } from 'preact/hooks'
import { rememberOpened } from '../app/recent.ts'
import { route } from '../app/router.ts'
import { productName } from '../session/settings.ts'
import { MarkedContacts } from './marked-contacts.tsx'

/** The heading of a page. It also sets the window's title, and adds the record to those opened lately. */
export function Title({ children: title }: { children: string }) {
  const { page, id } = route.value
  useEffect(() => {
    document.title = `${title} · ${productName}`
    if (id !== undefined) rememberOpened({ page, id, title })
  }, [title, page, id])
  return (
    <h1>
      <bdi>
        <MarkedContacts>{title}</MarkedContacts>
      </bdi>
    </h1>
  )
}
