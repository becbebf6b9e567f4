import { onTable, type Table } from '#lib/dynamo/table'
import { DomainError } from '#lib/kernel/domain-error'
import { MailId } from '#lib/kernel/id'
import { mailedLinkKey, userLinksEntry, userLinksQuery } from './mailed-link.keys.ts'
import { MailedLink, type MailedLinkReader, type MailedLinks } from './mailed-link.ts'

/** Mailed links in the one table, removed by their time to live. */
export const openMailedLinks = (table: Table): MailedLinks => ({
  get: async (id) => {
    const item = await table.get(mailedLinkKey(id))
    return item && MailedLink.parse(item)
  },
  insert: (link) =>
    table.put({
      ...mailedLinkKey(link.id),
      ...userLinksEntry(link.userId, link.id),
      kind: 'mailed-link',
      ...link,
    }),
  use: (link) =>
    table.remove(mailedLinkKey(link.id), {
      when: 'present',
      otherwise: () => new DomainError('invalid_token'),
    }),
  removeAll: async (userId) => {
    const items = await table.queryAll(userLinksQuery(userId))
    await table.writeEach(items.map((item) => ({ remove: mailedLinkKey(MailId.parse(item['id'])) })))
  },
  commit: table.commit,
})

/** The store of mailed links, as a dependency of functions. */
export const mailedLinks = onTable(openMailedLinks, { reads: ['LINK', 'gsi1:USER'], writes: ['LINK'] })

export const mailedLinkReader = onTable((table): MailedLinkReader => openMailedLinks(table), {
  reads: ['LINK'],
})
