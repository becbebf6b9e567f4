import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isOffline } from '../api/client.ts'
import type { List } from '../api/use-list.ts'
import { heldDecisions } from '../app/held.ts'
import { useKeys } from '../app/keys.ts'
import { words } from '../words/words.ts'
import { Empty, Failed, Skeleton } from './states.tsx'

/** The scrolled distance and the visible height of the page, in pixels. */
const scrolled = signal({ top: 0, height: innerHeight })

const note = () => {
  scrolled.value = { top: scrollY, height: innerHeight }
}
addEventListener('scroll', note, { passive: true })
addEventListener('resize', note)

/** A column of a table, with its content for an item. */
export type Column<T> = {
  title: string
  cell: (item: T) => ComponentChildren
  isWide?: boolean
  isNumber?: boolean
  /** A column that a narrow window leaves out. The cards on a telephone show it. */
  isSpare?: boolean
}

type TableProps<T> = {
  label: string
  list: List<T>
  columns: readonly Column<T>[]
  idOf: (item: T) => string
  /** Where a row leads; its first cell is the link. */
  linkOf?: (item: T) => string | undefined
  empty: string
}

/** The height of every row, which the style sheet sets too. On a telephone rows are cards, each as high as its facts. */
const ROW_PIXELS = 44
const SPARE_ROWS = 12
const CARDS_AT_A_TIME = 30

/**
 * A list as a table whose rows are drawn only where they are seen, so that ten thousand cost what fifty do. `j` and `k`
 * move from row to row, and the next page is asked for before its rows are reached.
 */
export function Table<T>({ label, list, columns, idOf, linkOf, empty }: TableProps<T>) {
  const { items, failure, hasMore, reload } = list
  const body = useRef<HTMLTableSectionElement>(null)
  const { first, last } = useSeenRows(body, items?.length ?? 0)
  useRowKeys(body, items?.length ?? 0)
  // After each rendering, since the table's body may be another element then.
  useLayoutEffect(() => titleWhileShown(body.current))
  const isMoreSeen = useFurtherPages(list, last)

  if (items === undefined) return failure ? <Failed failure={failure} retry={reload} /> : <Skeleton />
  const shown = items.slice(first, last)
  // Lists leave out items whose decision is not sent yet: while there are such decisions, `rest` mentions them.
  const emptyText = heldDecisions.value.length > 0 ? words.held.rest : empty
  // The page itself says that the browser is offline.
  const shownFailure = failure?.problem.code === 'offline' ? undefined : failure
  return (
    <>
      {shownFailure && !isMoreSeen && <Failed failure={shownFailure} retry={reload} />}
      {items.length === 0 && !hasMore && <Empty>{emptyText}</Empty>}
      {items.length > 0 && (
        <table
          class={columns.some(({ isWide }) => isWide) ? 'table' : 'table even'}
          style={countsOf(columns)}
          aria-label={label}
          aria-rowcount={hasMore ? -1 : items.length + 1}
        >
          <thead>
            <tr>
              {columns.map(({ title, ...shape }) => (
                <th key={title} scope="col" class={classOf(shape)}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            <Gap rows={first} />
            {shown.map((item, index) => (
              <Row
                key={idOf(item)}
                index={first + index}
                item={item}
                columns={columns}
                link={linkOf?.(item)}
              />
            ))}
            <Gap rows={items.length - first - shown.length} />
          </tbody>
        </table>
      )}
      {shownFailure && isMoreSeen && <Failed failure={shownFailure} retry={reload} />}
    </>
  )
}

type RowProps<T> = { item: T; index: number; columns: readonly Column<T>[]; link: string | undefined }

const Row = <T,>({ item, index, columns, link }: RowProps<T>) => (
  <tr aria-rowindex={index + 2} data-row={index}>
    {columns.map(({ title, cell, ...shape }, position) => (
      <td key={title} class={classOf(shape)} data-title={nameInCard(title, position)}>
        <div class="cell">
          {position === 0 && link !== undefined ? (
            <a href={link}>{isolated(cell(item))}</a>
          ) : (
            isolated(cell(item))
          )}
        </div>
      </td>
    ))}
  </tr>
)

/** The name of a fact on a card; the first is the card's title, and a status names itself. */
const nameInCard = (title: string, position: number): string | undefined =>
  position === 0 || title === words.common.status ? undefined : title

/** A text in its own direction, which leaves the text around it in place. */
const isolated = (shown: ComponentChildren): ComponentChildren =>
  typeof shown === 'string' && shown !== '' ? <bdi>{shown}</bdi> : shown

/** The height of the rows that are not drawn. */
const Gap = ({ rows }: { rows: number }) =>
  rows > 0 ? (
    <tr style={{ height: `${rows * ROW_PIXELS}px` }}>
      <td />
    </tr>
  ) : null

type Shape = Partial<Record<'isWide' | 'isNumber' | 'isSpare', boolean | undefined>>

const classOf = ({ isWide, isNumber, isSpare }: Shape): string =>
  [isWide && 'wide', isNumber && 'number', isSpare && 'spare'].filter(Boolean).join(' ')

/** The number of columns shown: in a wide window, and in a narrow one. */
const countsOf = (columns: readonly Shape[]): Record<'--all' | '--some', number> => ({
  '--all': columns.length,
  '--some': columns.filter(({ isSpare }) => !isSpare).length,
})

/** Keeps the titles of cut cells up to date while the rows change. Returns a function that ends this. */
function titleWhileShown(body: HTMLElement | null): () => void {
  titleCutCells(body)
  const observer = new MutationObserver(() => titleCutCells(body))
  if (body) observer.observe(body, { subtree: true, childList: true, characterData: true })
  return () => observer.disconnect()
}

/**
 * Gives each cell whose text is cut the whole text as its title. The link of a row covers the row, so it gets the titles
 * of all its cells.
 */
function titleCutCells(body: HTMLElement | null): void {
  for (const row of body?.querySelectorAll<HTMLElement>('[data-row]') ?? []) {
    const titles = [...row.querySelectorAll<HTMLElement>('td > .cell')].flatMap((cell) => {
      const title = isCut(cell) ? cell.innerText : ''
      setTitle(cell, title)
      return title ? [title] : []
    })
    setTitle(row.querySelector<HTMLElement>('td:first-child a'), titles.join('\n'))
  }
}

/** Whether a cell is cut, or the text beside a picture in it, which has the class `cell` too. */
const isCut = (cell: HTMLElement): boolean =>
  [cell, ...cell.querySelectorAll<HTMLElement>('.cell')].some(
    ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
      scrollWidth > clientWidth || scrollHeight > clientHeight + 1,
  )

function setTitle(element: HTMLElement | null, title: string): void {
  if (title) element?.setAttribute('title', title)
  else element?.removeAttribute('title')
}

/**
 * Returns which rows to draw: those in view and some around them. Cards are drawn from the first to at least one screen
 * below the view. `last` may lie beyond the last row.
 */
function useSeenRows(body: { current: HTMLElement | null }, total: number): { first: number; last: number } {
  const [bodyTop, setBodyTop] = useState(0)
  const [cards, setCards] = useState<number | undefined>(undefined)
  const { top: viewTop, height } = scrolled.value
  useLayoutEffect(() => {
    if (!body.current) return
    const box = body.current.getBoundingClientRect()
    setBodyTop(box.top + scrollY)
    const isCards = getComputedStyle(body.current).display === 'block'
    // More cards are drawn until the last one is a screen below the view.
    if (!isCards) setCards(undefined)
    else if (cards === undefined || (cards < total && box.bottom < 2 * height))
      setCards((cards ?? 0) + CARDS_AT_A_TIME)
  })
  if (cards !== undefined) return { first: 0, last: cards }
  const firstSeen = Math.floor((viewTop - bodyTop) / ROW_PIXELS)
  const lastSeen = Math.ceil((viewTop - bodyTop + height) / ROW_PIXELS)
  return {
    first: Math.min(total, Math.max(0, firstSeen - SPARE_ROWS)),
    last: Math.max(0, lastSeen) + SPARE_ROWS,
  }
}

/** Asks for the next page of a list once the last of its rows is drawn. Returns whether a further page is waited for. */
function useFurtherPages<T>({ items, failure, hasMore, more }: List<T>, last: number): boolean {
  const isMoreSeen = hasMore && items !== undefined && last >= items.length
  // A page that failed is not asked for again until the list is loaded again or, offline, the server is reached.
  const isHeldUp = failure !== undefined && (failure.problem.code !== 'offline' || isOffline.value)
  useEffect(() => {
    if (isMoreSeen && !isHeldUp) more()
  }, [isMoreSeen, isHeldUp, more])
  return isMoreSeen
}

/** `j` and `k` move the focus from row to row. */
function useRowKeys(body: { current: HTMLElement | null }, total: number): void {
  const move = (step: number) => {
    const row = document.activeElement?.closest('tr')?.dataset['row']
    const next = row === undefined ? 0 : Math.min(total - 1, Math.max(0, Number(row) + step))
    const find = () =>
      body.current?.querySelector<HTMLElement>(`[data-row="${next}"] a, [data-row="${next}"] button`)
    const found = find()
    if (found) return found.focus()
    // The row is not drawn yet: it is scrolled into view, a little below the top, and is there two frames later.
    scrollTo({ top: (body.current?.offsetTop ?? 0) + next * ROW_PIXELS - 100 })
    requestAnimationFrame(() => requestAnimationFrame(() => find()?.focus()))
  }
  useKeys([
    { keys: 'j', does: words.common.nextRow, run: () => move(1) },
    { keys: 'k', does: words.common.previousRow, run: () => move(-1) },
  ])
}
