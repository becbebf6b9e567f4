import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { isOffline } from '../api/client.ts'
import { MenuCount } from '../home/menu-count.tsx'
import { useOverview } from '../home/overview.ts'
import { Empty } from '../parts/states.tsx'
import { administrator, lackedRole, sessionState, signOut } from '../session/session.ts'
import { isLive, productName, settings } from '../session/settings.ts'
import { words } from '../words/words.ts'
import { focusContent } from './content.ts'
import { QuestionDialog } from './dialog.tsx'
import { sendHeld } from './held.ts'
import { useKeys } from './keys.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { Messages } from './messages.tsx'
import { pages } from './pages.tsx'
import { go, linkTo, route } from './router.ts'
import { isSearching, SearchDialog } from './search.tsx'
import { Threshold } from './threshold.tsx'

const isMenuOpen = signal(false)
const areKeysShown = signal(false)

/** The console: the menu, the page that the address names, and the open dialogs. */
export function App() {
  if (sessionState.value.state !== 'in') return <Threshold />
  return (
    <>
      <button type="button" class="skip" onClick={focusContent}>
        {words.common.skip}
      </button>
      <Menu />
      <Content />
      <QuestionDialog />
      {isSearching.value && <SearchDialog />}
      {areKeysShown.value && (
        <KeysDialog
          close={() => {
            areKeysShown.value = false
          }}
        />
      )}
    </>
  )
}

function Menu() {
  const { page } = route.value
  // Loads the counts of the menu, and keeps them fresh.
  useOverview()
  const shown = Object.entries(pages).filter(([name]) => lackedRole(name) === undefined)
  useKeys([
    { keys: '?', does: words.common.keys, run: showKeys },
    // `main.tsx` also opens the search by Ctrl K, which works while the reader types.
    { keys: '/', does: words.common.search, run: openSearch },
    ...shown.map(([name, { title, key }]) => ({
      keys: `g ${key}`,
      does: title,
      run: () => go(linkTo(name)),
    })),
  ])
  const close = () => {
    isMenuOpen.value = false
  }
  return (
    <header class={isMenuOpen.value ? 'menu open' : 'menu'}>
      <div class="bar">
        <a class="brand" href={linkTo('home')} onClick={close}>
          <span class="mark" style={{ background: settings.product.colour }} />
          <b>{productName}</b>
          <span class={isLive ? 'stage-name live' : 'stage-name'}>{settings.product.stage}</span>
        </a>
        <button type="button" class="search" onClick={openSearch}>
          {words.common.search} <kbd>Ctrl K</kbd>
        </button>
        <button
          type="button"
          class="plain toggle"
          aria-expanded={isMenuOpen.value}
          onClick={() => {
            isMenuOpen.value = !isMenuOpen.value
          }}
        >
          {words.common.menu}
        </button>
      </div>
      <nav aria-label={words.common.menu}>
        {shown.map(([name, { title }]) => (
          <a key={name} href={linkTo(name)} aria-current={page === name ? 'page' : undefined} onClick={close}>
            {title}
            <MenuCount page={name} />
          </a>
        ))}
      </nav>
      <div class="who">
        <span title={administrator.value}>{administrator.value}</span>
        <button type="button" class="plain" onClick={showKeys}>
          {words.common.keys} <kbd>?</kbd>
        </button>
        <button type="button" class="plain" onClick={() => void leave()}>
          {words.session.signOut}
        </button>
      </div>
    </header>
  )
}

function Content() {
  const { page, id } = route.value
  const { List, One, title } = pages[page] ?? pages['home'] ?? {}
  const lacked = lackedRole(page)
  // A layout effect runs before the effect of the page's `Title`, which then names the open record in the window's title.
  useLayoutEffect(() => {
    document.title = `${title} · ${productName}`
  }, [id, title])
  useEffect(() => {
    scrollTo(0, 0)
    focusContent()
  }, [id, title])
  useKeys(id === undefined ? [] : [{ keys: 'Escape', does: words.common.back, run: () => go(linkTo(page)) }])
  return (
    <main id="content" tabIndex={-1}>
      {/* First in the page, so that Tab leads to what can be undone. */}
      <Messages />
      <div class="page">
        {isOffline.value && (
          <p class="notice warn" role="status">
            {words.session.offline}
          </p>
        )}
        {lacked !== undefined && (
          <>
            <h1>{title}</h1>
            <Empty>{words.session.lacks(words.session.roles[lacked])}</Empty>
          </>
        )}
        {lacked === undefined &&
          (id !== undefined && One ? <One key={id} id={id} /> : List && <List key={page} />)}
      </div>
    </main>
  )
}

/** Sends the decisions that can still be undone, and signs out once all have arrived; else a message says why not. */
const leave = async () => {
  if (await sendHeld()) await signOut()
}

const openSearch = () => {
  isSearching.value = true
}

const showKeys = () => {
  areKeysShown.value = true
}
