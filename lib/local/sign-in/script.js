// What a front end does with a password and two kinds of second factors. Tokens stay in memory; the device token is kept.

const byId = (id) => document.getElementById(id)
const say = (text) => {
  byId('said').textContent = text
}
const show = (name) => {
  for (const id of ['signed-out', 'proof', 'signed-in']) byId(id).hidden = id !== name
}

let accessToken

/** Sends a request; throws the problem of one that was refused. */
async function send(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(accessToken && { authorization: `Bearer ${accessToken}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const answer = text === '' ? null : JSON.parse(text)
  if (!response.ok) throw answer
  return answer
}

/** Sends a request again once the person has stepped up, where that is asked. */
async function sendSteppedUp(method, path, body) {
  try {
    return await send(method, path, body)
  } catch (problem) {
    if (problem?.code !== 'step_up_required') throw problem
    await stepUp()
    return send(method, path, body)
  }
}

const create = async (options) => {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  return (await navigator.credentials.create({ publicKey })).toJSON()
}
const get = async (options) => {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return (await navigator.credentials.get({ publicKey })).toJSON()
}

/** Asks for one proof: a typed one, or a passkey where the account has one. */
function askProof({ methods, passkeyOptions }) {
  const isPassword = methods.includes('password')
  byId('proof-asked').textContent = `Prove that it is you: ${methods.join(', ')}`
  byId('proof-label').textContent = isPassword ? 'Password' : 'Six digits or a recovery code'
  byId('proof-form').elements.proof.type = isPassword ? 'password' : 'text'
  byId('proof-form').reset()
  byId('proof-passkey').hidden = passkeyOptions === null
  show('proof')
  return new Promise((resolve, reject) => {
    byId('proof-form').onsubmit = (event) => {
      event.preventDefault()
      const typed = event.target.elements.proof.value
      resolve(isPassword ? { password: typed } : { code: typed })
    }
    byId('proof-passkey').onclick = () =>
      get(passkeyOptions).then((credential) => resolve({ credential }), reject)
  })
}

/** Steps up with the password or, on an account with a second factor, with that. */
async function stepUp() {
  const options = await send('POST', '/auth/step-up/options')
  const proof = await askProof(options)
  const body = proof.credential ? { challenge: options.challenge, ...proof } : proof
  ;({ accessToken } = await send('POST', '/auth/step-up', body))
  show('signed-in')
}

async function signedIn(answer) {
  accessToken = answer.accessToken
  localStorage.setItem('deviceToken', answer.deviceToken)
  byId('person').textContent = `Signed in as ${answer.user.email}`
  byId('shown-once').textContent = ''
  await showFactors()
  show('signed-in')
}

const signIn = async ({ email, password }) => {
  const deviceToken = localStorage.getItem('deviceToken')
  try {
    await signedIn(await send('POST', '/auth/login', { email, password, deviceToken }))
  } catch (problem) {
    if (problem?.code !== 'second_factor_required') throw problem
    const proof = await askProof(problem)
    const body = { challenge: problem.challenge, ...proof }
    await signedIn(await send('POST', '/auth/login/second-factor', body))
  }
}

const register = async ({ email, password }) =>
  signedIn(await send('POST', '/auth/register', { email, password, name: 'A person' }))

async function signInWithPasskey() {
  const { challenge, options } = await send('POST', '/auth/passkeys/sign-in/options')
  const body = { challenge, credential: await get(options), deviceToken: localStorage.getItem('deviceToken') }
  await signedIn(await send('POST', '/auth/passkeys/sign-in', body))
}

async function showFactors() {
  const { totp, passkeys, recoveryCodesLeft } = await send('GET', '/auth/second-factor')
  const lines = [
    totp ? 'Authenticator app' : 'No authenticator app',
    ...passkeys.map(({ name }) => `Passkey: ${name}`),
    `Recovery codes left: ${recoveryCodesLeft}`,
  ]
  byId('factors').replaceChildren(
    ...lines.map((line) => Object.assign(document.createElement('li'), { textContent: line })),
  )
}

const showCodes = async ({ recoveryCodes }) => {
  byId('shown-once').textContent = recoveryCodes.join('\n')
  await showFactors()
}

async function addPasskey() {
  const { challenge, options } = await sendSteppedUp('POST', '/auth/passkeys/options')
  const body = { challenge, name: 'This browser', credential: await create(options) }
  await showCodes(await sendSteppedUp('POST', '/auth/passkeys', body))
}

async function setUpApp() {
  const { secret } = await sendSteppedUp('POST', '/auth/second-factor/totp')
  byId('secret').textContent = secret
  byId('confirmation').reset()
  byId('confirmation').hidden = false
}

async function confirmApp(code) {
  await showCodes(await sendSteppedUp('POST', '/auth/second-factor/totp/confirm', { code }))
  byId('confirmation').hidden = true
  byId('secret').textContent = ''
}

async function removeApp() {
  await sendSteppedUp('DELETE', '/auth/second-factor/totp')
  await showFactors()
}

const renewCodes = async () => showCodes(await sendSteppedUp('POST', '/auth/second-factor/recovery-codes'))

async function signOut() {
  await send('POST', '/auth/logout', {})
  accessToken = undefined
  show('signed-out')
}

/** Does something for a click, and says what came of it. */
const act = (what, done) => async (event) => {
  event?.preventDefault()
  say('…')
  try {
    await what(event)
    say(done)
  } catch (problem) {
    show(accessToken ? 'signed-in' : 'signed-out')
    say(problem?.detail ?? problem?.title ?? problem?.message ?? String(problem))
  }
}

const typed = (id) => Object.fromEntries(new FormData(byId(id)))

byId('credentials').onsubmit = act(() => signIn(typed('credentials')), 'Signed in')
byId('register').onclick = act(() => register(typed('credentials')), 'Registered')
byId('passkey-alone').onclick = act(signInWithPasskey, 'Signed in')
byId('add-passkey').onclick = act(addPasskey, 'The passkey was added')
byId('set-up-app').onclick = act(setUpApp, 'One more step')
byId('confirmation').onsubmit = act(() => confirmApp(typed('confirmation').code), 'The app was confirmed')
byId('remove-app').onclick = act(removeApp, 'The app was removed')
byId('renew-codes').onclick = act(renewCodes, 'The old codes are void')
byId('sign-out').onclick = act(signOut, 'Signed out')
