import { describe, expect, it } from 'vitest'
import { spec as forgot } from '#functions/accounts/passwords/forgot-password'
import { spec as reset } from '#functions/accounts/passwords/reset-password'
import { spec as login } from '#functions/accounts/sessions/login'
import { spec as getUser } from '#functions/accounts/users/get-user'
import { spec as listUsers } from '#functions/accounts/users/list-users'
import { spec as updateUser } from '#functions/accounts/users/update-user'
import { ban } from '#test/support/bans'
import { call } from '#test/support/call'
import { aUser, consoleToken, type GivenUser } from '#test/support/given'
import { mailedBy, tokenIn } from '#test/support/mail'

const NEW_PASSWORD = 'nine herons over the weir'

const signIn = ({ email }: GivenUser) => call(login, { body: { email, password: NEW_PASSWORD } })

/** Resets the password of an account by the link that is mailed to its address. */
async function takeBack({ email }: GivenUser): Promise<void> {
  const { mails } = await mailedBy(forgot, { body: { email } })
  const body = { token: tokenIn(mails[0]), newPassword: NEW_PASSWORD }
  expect(await call(reset, { body })).toMatchObject({ status: 204 })
}

describe('an account that the owner of its address takes back', () => {
  it('stays banned until an administrator, who finds it by what it proved since, lifts the ban', async () => {
    const squatter = await aUser()
    await ban(squatter)
    await takeBack(squatter)
    expect(await signIn(squatter)).toMatchObject({ status: 403, body: { code: 'account_banned' } })
    const token = await consoleToken()
    const query = { status: 'BANNED', provenSince: 'true' }
    const { items } = (await call(listUsers, { token, query })).body
    const listed = items.find(({ id }) => id === squatter.id)
    expect(listed).toMatchObject({ status: 'BANNED', name: null, emailVerified: true })
    const { bannedAt, provenAt } = (await call(getUser, { token, params: { id: squatter.id } })).body
    expect({ bannedAt, provenAt }).toEqual({ bannedAt: listed?.bannedAt, provenAt: listed?.provenAt })
    expect(Date.parse(provenAt ?? '')).toBeGreaterThan(Date.parse(bannedAt ?? ''))
    await call(updateUser, { token, params: { id: squatter.id }, body: { status: 'ACTIVE' } })
    expect(await signIn(squatter)).toMatchObject({ status: 200 })
  })
})
