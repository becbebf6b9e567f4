import type { ComponentChildren } from 'preact'
import { type Filters, linkTo } from '../app/router.ts'
import { lackedRole } from '../session/session.ts'
import { ago, count, dateTime, dayAndHour } from './format.ts'

/** A time in the reader's zone, with UTC on hover; without the year where `isShort`. */
export const Time = ({ at, isShort = false }: { at: string; isShort?: boolean }) => (
  <time dateTime={at} title={at}>
    {isShort ? dayAndHour(at) : dateTime(at)}
  </time>
)

/** The age of a time, with UTC on hover. */
export const Ago = ({ at }: { at: string | null }) =>
  at === null ? null : (
    <time dateTime={at} title={at}>
      {ago(at)}
    </time>
  )

/** The tone of a state, at a glance. */
export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'quiet'

/** A state in words, with a dot that says how good it is. */
export const Status = ({ tone, children }: { tone: Tone; children: ComponentChildren }) => (
  <span class={`status ${tone}`}>{children}</span>
)

/** An id as it is, to be copied and to be searched for. */
export const Id = ({ children }: { children: string }) => <code class="id">{children}</code>

const PAGES: Record<string, string> = {
  usr: 'people',
  lst: 'listings',
  pay: 'payments',
  enq: 'enquiries',
  cbk: 'callbacks',
  whk: 'webhooks',
  evt: 'events',
  out: 'payouts',
}

/** Returns the address of a subject's page, by the prefix of its id; undefined without a page that the reader may open. */
export function linkToSubject(id: string): string | undefined {
  const page = id[3] === '_' ? PAGES[id.slice(0, 3)] : undefined
  return page === undefined || lackedRole(page) !== undefined ? undefined : linkTo(page, id)
}

type PageLinkProps = { page: string; id?: string; filters?: Filters; children: ComponentChildren }

/** A link to a page that the reader's roles open; plain text for other readers. */
export const PageLink = ({ page, id, filters, children }: PageLinkProps) =>
  lackedRole(page) === undefined ? (
    <a href={linkTo(page, id, filters)}>
      <bdi>{children}</bdi>
    </a>
  ) : (
    <bdi>{children}</bdi>
  )

/** An id as a link to its page. */
export function SubjectLink({ id }: { id: string }) {
  const link = linkToSubject(id)
  return link === undefined ? (
    <Id>{id}</Id>
  ) : (
    <a href={link}>
      <Id>{id}</Id>
    </a>
  )
}

/** A small number next to a title. */
export const Count = ({ of }: { of: number }) => <span class="count">{count(of)}</span>

/** Names and values, one under another; an empty value is left out. */
export const Facts = ({ items }: { items: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {items
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === 'string' ? <bdi>{value}</bdi> : value}</dd>
        </div>
      ))}
  </dl>
)

/** A part of a page with a heading of its own. `of` is a number next to the title, such as that of its items. */
export const Section = ({
  title,
  of,
  aside,
  children,
}: {
  title: string
  of?: number | undefined
  aside?: ComponentChildren
  children: ComponentChildren
}) => (
  <section class="section">
    <header>
      <h2>
        {title}
        {of !== undefined && <Count of={of} />}
      </h2>
      {aside}
    </header>
    {children}
  </section>
)
