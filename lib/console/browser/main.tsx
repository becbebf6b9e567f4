import { render } from 'preact'
import { App } from './app/app.tsx'
import { resumeHeld } from './app/held.ts'
import { pressKey } from './app/keys.ts'
import { returnToForm } from './app/return-to-form.ts'
import { isSearching } from './app/search.tsx'
import { loadCurrencies } from './parts/format.ts'
import { enter, sessionState } from './session/session.ts'
import { readerLocale } from './words/words.ts'

document.documentElement.lang = readerLocale

addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
    event.preventDefault()
    isSearching.value = sessionState.value.state === 'in'
  } else pressKey(event)
})

const app = document.getElementById('app')
if (app) render(<App />, app)

// A currency whose decimals are not known yet is written with two; the page is drawn again once they are.
void enter().then(() => {
  if (sessionState.value.state !== 'in') return
  returnToForm()
  resumeHeld()
  return loadCurrencies()
})
