import { accountDialog } from './account.ts'
import { prepareCode } from './code.ts'
import { findIn } from './find.ts'

const views = [...document.querySelectorAll<HTMLElement>('[data-view]')]
const title = document.title
const contents = byId('contents')
const menu = byId('menu')

/** Finds an element that every page has. Throws if it is missing. */
function byId(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (!element) throw new Error(`The page has no #${id}`)
  return element
}

/** Shows the section that the address names, or the first guide, and mounts the viewer where it is an operation. */
function show(): void {
  const named = document.getElementById(unescaped(location.hash.slice(1)))
  const view = named?.closest<HTMLElement>('[data-view]') ?? views[0]
  if (!view) return
  for (const each of views) each.classList.toggle('shown', each === view)
  document.title = `${view.querySelector('h1')?.textContent ?? ''} · ${title}`
  markCurrent(named?.id ?? view.id, view.id)
  setMenu({ isOpen: false })
  if ('operation' in view.dataset) void mountViewer(view)
  if (named && named !== view) named.scrollIntoView()
  else scrollTo(0, 0)
}

/** Returns a text without its escapes; a text that is cut in the middle of one as it is. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Marks the link to what is shown, or else to its view, and opens the group of the link. */
function markCurrent(id: string, viewId: string): void {
  const links = [...contents.querySelectorAll('a')]
  const current = [id, viewId]
    .map((each) => links.find(({ hash }) => hash === `#${each}`))
    .find((link) => link !== undefined)
  for (const link of links) {
    if (link === current) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
  const group = current?.closest('details')
  if (group) group.open = true
  current?.scrollIntoView({ block: 'nearest' })
}

const account = accountDialog(byId('account'))

/** Shows an operation in the viewer, which is loaded with the first operation: it is most of the page's weight. */
async function mountViewer(view: HTMLElement): Promise<void> {
  const place = view.querySelector<HTMLElement>('.viewer')
  if (!place) return
  place.dataset['state'] = 'loading'
  try {
    const { showOperation } = await import('./viewer.ts')
    // The reader may have gone on to another section meanwhile.
    if (view.classList.contains('shown')) await showOperation(place, view.id, account.token)
    place.dataset['state'] = 'ready'
  } catch {
    place.dataset['state'] = 'failed'
  }
}

function setMenu({ isOpen }: { isOpen: boolean }): void {
  menu.setAttribute('aria-expanded', `${isOpen}`)
  document.body.classList.toggle('menu', isOpen)
}

menu.addEventListener('click', () => setMenu({ isOpen: menu.getAttribute('aria-expanded') !== 'true' }))
addEventListener('hashchange', show)
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') setMenu({ isOpen: false })
})
findIn(contents, byId('find'), byId('none'))
prepareCode()
// Content that is wider than the page can be scrolled by keys.
for (const wide of document.querySelectorAll<HTMLElement>('.wide')) wide.tabIndex = 0
show()
