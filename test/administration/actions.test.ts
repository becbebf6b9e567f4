import { beforeAll, describe, expect, it } from 'vitest'
import { spec as listActions } from '#functions/administration/list-actions'
import { openTable } from '#lib/dynamo/table'
import { type Action, newAction } from '#lib/journal/journal'
import { openJournal } from '#lib/journal/journal.dynamo'
import { secondsAfter } from '#lib/kernel/clock'
import { idMaker, newId } from '#lib/kernel/id'
import { call } from '#test/support/call'
import { consoleToken } from '#test/support/given'

const table = openTable(process.env['TABLE_NAME'] ?? '')
const journal = openJournal(table)
const NOW = new Date()
let token: string
beforeAll(async () => {
  token = await consoleToken()
})

/** An entry of so many seconds ago. */
async function anEntry(secondsAgo: number, by: string, subject: string): Promise<Action> {
  const makeId = idMaker(() => secondsAfter(NOW, -secondsAgo))
  const action = newAction(makeId, { by, subject, action: 'user.banned', details: { reason: 'spam' } })
  await table.commit([journal.record(action)])
  return action
}
const list = async (query: Record<string, string>) => {
  const { body } = await call(listActions, { token, query })
  return body as { items: Action[]; nextCursor: string | null }
}

describe('GET /admin/actions', () => {
  it('is newest first: all, those of a subject, and those of an administrator', async () => {
    const [subject, by] = [newId('user'), newId('user')]
    const older = await anEntry(20, by, subject)
    const newer = await anEntry(10, by, subject)
    const another = await anEntry(5, by, newId('user'))
    expect((await list({ subject })).items).toEqual([newer, older])
    expect((await list({ by })).items).toEqual([another, newer, older])
    expect((await list({ by, subject })).items).toEqual([newer, older])
    const { items } = await list({ limit: '100' })
    expect(items.filter((entry) => entry.by === by)).toEqual([another, newer, older])
  })

  it('includes `from` and leaves out `to`', async () => {
    const subject = newId('user')
    const [first, second, third] = [
      await anEntry(30, 'ama', subject),
      await anEntry(20, 'ama', subject),
      await anEntry(10, 'ama', subject),
    ]
    const { items } = await list({ subject, from: first.at, to: third.at })
    expect(items).toEqual([second, first])
  })

  it('pages to its end', async () => {
    const subject = newId('user')
    for (let seconds = 1; seconds <= 5; seconds += 1) await anEntry(seconds, 'ama', subject)
    const first = await list({ subject, limit: '3' })
    const second = await list({ subject, limit: '3', cursor: first.nextCursor ?? '' })
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([3, 2, null])
  })
})
