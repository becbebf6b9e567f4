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

// Signs in, then shows the form and resumes the decisions that were open when the page was left.
void enter().then(() => {
  if (sessionState.value.state !== 'in') return
  returnToForm()
  resumeHeld()
  // Until its decimals are known, a currency is written with two; the page is then drawn again.
  return loadCurrencies()
})
