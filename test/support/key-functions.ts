import fc from 'fast-check'
import { newId } from '#lib/kernel/id'
import { FileKind } from '#lib/media/file-kind'
import { sourceFiles } from './source-files.ts'

/** What a key function answers: a key, a query, a partition, a sort key, a range, or the name of an object. */
export type Spelled = string | string[] | Record<string, string>
type Spell = (...values: unknown[]) => Spelled

/** A function of a `*.keys.ts`, with what its declaration says that it takes. */
export type KeyFunction = { name: string; spell: Spell; parameters: Parameter[] }
type Parameter = {
  name: string
  /** A value to show the design by. */
  example: unknown
  /** Whatever else the value could be. */
  any: fc.Arbitrary<unknown>
}

const LIB = new URL('../../lib/', import.meta.url)
const DECLARED = /^export (?:const (\w+) = \(([^()]*)\)(?:: [^=\n]+)? =>|function (\w+)\(([^)]*)\))/gm

/** Every function that spells a key, in the order of the files. One that begins with `read` or `is` takes a key apart. */
export async function keyFunctions(): Promise<KeyFunction[]> {
  const files = (await sourceFiles('lib')).filter(({ path }) => path.endsWith('.keys.ts'))
  const found = await Promise.all(
    files.map(async ({ path, text }) => {
      const module = (await import(new URL(path.replace(/^lib\//, ''), LIB).href)) as Record<string, Spell>
      const declared = new Map(
        [...text.matchAll(DECLARED)].map(([, constant, of, named, taking]) => [
          constant ?? named ?? '',
          of ?? taking ?? '',
        ]),
      )
      return Object.entries(module).flatMap(([name, spell]) => {
        if (typeof spell !== 'function' || READS.test(name)) return []
        const list = declared.get(name)
        if (list === undefined)
          throw new Error(`${path} declares ${name} in a form that this test cannot read`)
        return [{ name, spell, parameters: parametersOf(list) }]
      })
    }),
  )
  return found.flat()
}

const READS = /^(read|is)[A-Z]/

/** `{ a, b }: Name, id: UserId` is two parameters. */
const parametersOf = (list: string): Parameter[] =>
  [...list.matchAll(/(?:(\w+)|\{[^}]*\})\??\s*(?::\s*([^,]+)|=\s*'')(?:,|$)/g)].map(
    ([, name = '', type = 'string']) => parameterOf(name, type.trim()),
  )

function parameterOf(name: string, type: string): Parameter {
  const kind = /^(\w+)Id\b/.exec(type)?.[1]
  if (kind) {
    const id = idsOf(kind)
    return { name, example: id.example, any: id.any }
  }
  const known = BY_TYPE[type] ?? BY_NAME[name]
  if (known) return { name, example: known[0], any: known[1] }
  if (type === 'number') return { name, example: 7, any: fc.nat({ max: 99_999_999 }) }
  if (type === 'string') return { name, example: `<${name}>`, any: fc.stringMatching(/^[\w:.-]{1,20}$/) }
  throw new Error(`Say in BY_TYPE what a ${type} can be`)
}

/** An id is known by its type alone. */
function idsOf(type: string): { example: string; any: fc.Arbitrary<string> } {
  const kind = type.charAt(0).toLowerCase() + type.slice(1)
  const prefix = newId(kind as 'user').slice(0, 3)
  const any = fc.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/).map((ulid) => `${prefix}_${ulid}`)
  return { example: `${prefix}_01KAH3M6XQ8ZJ4T2V7W9C5RBND`, any }
}

const aDate = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
const aMoment = [
  '2027-01-31T12:00:00.000Z',
  aDate.map((date) => date.toISOString()),
] as const satisfies Sample
const aDay = ['2027-01-31', aDate.map((date) => date.toISOString().slice(0, 10))] as const satisfies Sample

type Sample = readonly [example: unknown, any: fc.Arbitrary<unknown>]

const aSortKey: Sample = ['2027-01-31T12:00:00.000Z#usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND', idsOf('User').any]

/** Texts and numbers whose form matters, by the name of the parameter. */
const BY_NAME: Record<string, Sample> = {
  at: aMoment,
  since: aMoment,
  firstAt: aMoment,
  from: aMoment,
  to: aMoment,
  moment: aMoment,
  dueAt: aMoment,
  expiresAt: aMoment,
  publishedAt: aMoment,
  day: aDay,
  minute: ['2027-01-31T12:00', aDate.map((date) => date.toISOString().slice(0, 16))],
  address: ['awa@example.com', fc.emailAddress()],
  row: [2, fc.nat({ max: 3 })],
  shard: [2, fc.nat({ max: 3 })],
  provider: ['stripe', fc.stringMatching(/^[a-z]+(-[a-z]+)*$/)],
  order: aSortKey,
  position: aSortKey,
}

const aMediaName = { listingId: idsOf('Listing').any, mediaId: idsOf('Media').any }
const A_VARIANT = {
  listingId: idsOf('Listing').example,
  mediaId: idsOf('Media').example,
  hash: 'U-yDYLLu-N80TCc32f_aAp',
  agentId: idsOf('User').example,
}
const aVariant: Sample = [
  A_VARIANT,
  fc.record({ ...aMediaName, hash: fc.stringMatching(/^[\w-]{22}$/), agentId: idsOf('User').any }),
]

/** Values of more than one part, by the name of their type. */
const BY_TYPE: Record<string, Sample> = {
  Timestamp: aMoment,
  Currency: ['XOF', fc.constantFrom('XOF', 'JPY', 'USD', 'KWD')],
  MediaName: [A_VARIANT, fc.record(aMediaName)],
  OriginalName: [
    { ...A_VARIANT, kind: 'image' },
    fc.record({ ...aMediaName, kind: fc.constantFrom(...FileKind.options) }),
  ],
  VariantName: aVariant,
  PublicName: aVariant,
}
