import { expect, it } from 'vitest'
import { spec as getProfile } from '#functions/accounts/get-profile'
import { spec as repeatErasures } from '#functions/jobs/repeat-erasures'
import { accounts as accountStore } from '#lib/accounts/account-store.dynamo'
import { timestamp } from '#lib/kernel/clock'
import { newId, UserId } from '#lib/kernel/id'
import { deletions } from '#lib/privacy/deletions.dynamo'
import { deletionKey } from '#lib/privacy/privacy.keys'
import { call } from '#test/support/call'
import { handIn } from '#test/support/documents'
import { aUser, type GivenUser } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { aPayment } from '#test/support/payments'
import { aPaidAgent, paidOut } from '#test/support/payouts'
import { testTable } from '#test/support/test-table'

const repeat = (...userIds: string[]) => runJob(repeatErasures, {}, { userIds })
const deletionOf = ({ id }: GivenUser) => testTable().get(deletionKey(UserId.parse(id)))

it('erases a person without the password, and once however often it runs', async () => {
  const person = await aUser()
  await handIn(person.token)
  expect(await repeat(person.id, person.id)).toEqual({ erased: 1, waiting: [] })
  expect((await call(getProfile, { token: person.token })).status).toBe(401)
  const kept = await testTable().query({ partition: `USER#${person.id}`, consistent: true })
  expect(JSON.stringify(kept.items)).not.toMatch(/Koné|@example/)
  const first = await deletionOf(person)
  expect(first).toMatchObject({ erasedAt: expect.any(String), email: null })
  expect(await repeat(person.id)).toEqual({ erased: 1, waiting: [] })
  expect(await deletionOf(person)).toEqual(first)
})

it('completes an erasure that was under way at the moment of the restore', async () => {
  const person = await aUser()
  const account = await accountStore.make().get(UserId.parse(person.id))
  if (!account) throw new Error('There is no account')
  const at = timestamp(new Date())
  await accountStore
    .make()
    .commit([
      ...accountStore.make().remove(account, at),
      deletions.make().insert(account.id, at, account.email),
    ])
  expect(await repeat(person.id)).toEqual({ erased: 1, waiting: [] })
  expect(await deletionOf(person)).toMatchObject({ erasedAt: expect.any(String), email: null })
})

it('leaves a person with an open payment for a later run', async () => {
  const [payer, other] = [await aUser(), await aUser()]
  await aPayment(payer)
  expect(await repeat(payer.id, other.id)).toEqual({ erased: 1, waiting: [payer.id] })
  expect((await call(getProfile, { token: payer.token })).status).toBe(200)
})

it('leaves an agent whom money is owed to for a later run, and erases the people after them', async () => {
  const [agent, other] = [await aPaidAgent(12_345), await aUser()]
  expect(await repeat(agent.id, other.id)).toEqual({ erased: 1, waiting: [agent.id] })
  await paidOut(agent)
  expect(await repeat(agent.id)).toEqual({ erased: 1, waiting: [] })
  expect((await call(getProfile, { token: agent.token })).status).toBe(401)
})

it('erases the people after one whose record cannot be read, and reports the failure', async () => {
  const [broken, other] = [await aUser(), await aUser()]
  const accounts = accountStore.make()
  const get = async (id: UserId) => {
    if (id === broken.id) throw new Error('This record cannot be read')
    return accounts.get(id)
  }
  const userIds = [broken.id, other.id]
  const run = runJob(repeatErasures, { accounts: { ...accounts, get } }, { userIds })
  await expect(run).rejects.toThrow('This record cannot be read')
  expect((await call(getProfile, { token: other.token })).status).toBe(401)
})

it('finds nothing of people who registered after the moment of the restore, and does nothing without ids', async () => {
  expect(await repeat(newId('user'))).toEqual({ erased: 1, waiting: [] })
  expect(await runJob(repeatErasures, {}, { version: '0' })).toEqual({ erased: 0, waiting: [] })
  await expect(repeat('somebody')).rejects.toThrow()
})
