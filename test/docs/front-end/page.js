import { send } from './api.js'
import { keys, makeKey } from './api-keys.js'
import { answer, ask, follow, markRead, pay, requestPayment, returned } from './customer.js'
import { change, draft, read, search, submit } from './listings.js'
import { addFile, addPictures, settled } from './pictures.js'
import {
  addPasskey,
  beginApp,
  confirmApp,
  register,
  signIn,
  signInWithPasskey,
  signOut,
  steppedUp,
} from './sign-in.js'

const element = (selector) => document.querySelector(selector)
const output = element('output')

/** Shows the form of a second step, and answers what was entered there. */
const prove = (methods) =>
  new Promise((resolve) => {
    element('#answerProof p').textContent = methods.join(' ')
    element('#proof').showModal()
    element('#answerProof').addEventListener(
      'submit',
      (event) => {
        event.preventDefault()
        const entered = [...new FormData(event.target)].filter(([, value]) => value !== '')
        event.target.reset()
        element('#proof').close()
        resolve(Object.fromEntries(entered))
      },
      { once: true },
    )
  })

const heard = []
const progress = (done) => {
  heard.push(done)
  element('progress').value = done
}

let opened
let searched
let shown
const follows = () =>
  follow((notifications) => {
    shown = notifications
    element('#unread').textContent = notifications.unreadCount
    element('#notifications').replaceChildren(
      ...notifications.items.map(({ title, subject }) => {
        const item = document.createElement('li')
        item.textContent = `${title} ${subject}`
        return item
      }),
    )
  })

const money = (amount) => ({ amount: Number(amount), currency: 'XOF' })
const uploaded = async (send, { id }, form) => {
  heard.length = 0
  const sent = await send(id, form.elements.files.files)
  return { sent, heard, media: await settled(id) }
}

const ACTIONS = {
  register,
  signIn: ({ email, password }) => signIn(email, password, prove),
  signInWithPasskey,
  signOut,
  verify: () =>
    send('POST', '/auth/email/verify', {
      body: { token: new URLSearchParams(location.search).get('token') },
    }),
  profile: async () => (await send('GET', '/auth/profile')).body,
  becomeAgent: (body) => send('PUT', '/auth/profile/agent', { body }),
  beginApp: () => steppedUp(beginApp, prove),
  confirmApp: ({ code }) => confirmApp(code),
  addPasskey: ({ name }) => steppedUp(() => addPasskey(name), prove),
  makeKey: ({ name, scope }) => makeKey(name, [scope], prove),
  keys,
  draft: ({ title, amount, key }) =>
    draft(
      {
        offer: 'rent',
        category: 'house',
        title,
        description: 'Three rooms and a terrace, five minutes from the market.',
        price: money(amount),
        location: { country: 'CI', city: 'Abidjan' },
      },
      key,
    ),
  addPictures: (given, form) => uploaded((id, files) => addPictures(id, files, progress), given, form),
  addFile: (given, form) => uploaded((id, [file]) => addFile(id, file, progress), given, form),
  submitListing: ({ id }) => submit(id),
  open: async ({ id }) => {
    opened = await read(id)
    return opened
  },
  changePrice: async ({ amount }) => {
    opened = await change(opened.body.id, opened.tag, { price: money(amount) })
    return opened
  },
  search: async ({ key: _, ...filters }) => {
    searched = { filters, page: await search(filters) }
    return searched.page
  },
  more: async () => {
    searched.page = await search(searched.filters, searched.page.nextCursor)
    return searched.page
  },
  ask: ({ id, message, key }) => ask(id, message, key),
  answer: ({ id, text, key }) => answer(id, text, key),
  requestPayment: ({ id, enquiryId, amount, key }) =>
    requestPayment(id, { enquiryId, purpose: 'deposit', amount: Number(amount) }, key),
  pay: ({ id, key }) => pay(id, 'sandbox', key),
  returned,
  markRead: async () => {
    await markRead(shown.items[0].id)
    location.reload()
  },
}

for (const [id, act] of Object.entries(ACTIONS)) {
  const form = document.getElementById(id)
  let key = crypto.randomUUID()
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    output.textContent = ''
    try {
      const result = await act({ ...Object.fromEntries(new FormData(form)), key }, form)
      key = crypto.randomUUID()
      output.textContent = JSON.stringify(result ?? null)
    } catch (problem) {
      output.textContent = JSON.stringify({ code: problem.code, ...problem, message: problem.message })
    }
  })
}
follows()
