import { readdir, readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Import, type SourceFile, sourceFiles } from '#test/support/source-files'
import { circlesOf, type Graph, graphOf } from '#test/support/source-graph'

let files: SourceFile[]

beforeAll(async () => {
  files = await sourceFiles('lib', 'functions')
})

/** The domain: nouns, ports and use cases. */
const DOMAIN =
  /^lib\/(?!http\/|dynamo\/|objects\/|config\/|kernel\/|local\/|package\/|deploy\/|console\/|docs\/)[^/]+\//
/** Where the domain meets the world: a store, a bus, a provider, a connection, a caller. */
const ADAPTER =
  /\.(dynamo|s3|sharp|pdfium|eventbridge|sqs|ses|smtp|https)\.ts$|^lib\/dynamo\/|^lib\/config\/secrets(\.\w[\w-]*)?\.ts$|^lib\/objects\/s3-client\.ts$|^lib\/accounts\/((sessions\/|api-keys\/)?access|mailed-links\/link-page-endpoint)\.ts$|^lib\/providers\/(adapters\/|http\.ts)/
/** What runs on a developer's machine only. */
const TOOLS = /^lib\/(local|package|deploy)\//
/** What runs in a reader's browser, and is compiled by itself. */
const PAGES = /^lib\/(console|docs)\/browser\//

/** Names that are English words too count in quotes only. */
const PROVIDER_NAMES = new RegExp(
  (await readdir(new URL('../../lib/providers/adapters/', import.meta.url)))
    .map((file) => file.replace(/\.ts$/, ''))
    .map((name) => (['square', 'standard-webhooks', 'wave'].includes(name) ? `'${name}'` : `\\b${name}\\b`))
    .join('|'),
  'gi',
)

/** Where the compiler cannot know enough: half an account stands for one, and the data of an event belongs to its type. */
const CASTING_TESTS = ['test/support/marketplace-days.ts', 'test/support/notifications.ts']

type Rule = {
  sentence: string
  /** The files it is about. */
  of: (path: string) => boolean
  /** What of a file breaks it. */
  breaks: (file: SourceFile) => string[]
}

const imports = (file: SourceFile, forbidden: (imported: Import) => boolean): string[] =>
  file.imports.filter(forbidden).map(({ from }) => `imports ${from}`)

const mentions = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([found]) => found)

const generatorsIn = ({ code }: SourceFile): string[] =>
  mentions(code, /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bMath\.random\b|\brandom[A-Z]\w*\(/g)

const adaptersIn = (file: SourceFile): string[] =>
  file.imports.flatMap(({ from, isOurs }) => (isOurs && ADAPTER.test(from) ? [from] : []))

/** Which nouns a noun of the domain may import, types included. What is not listed is held to no circle alone. */
const KNOWN_NOUNS: Record<string, readonly string[]> = {
  accounts: ['events', 'journal', 'mail', 'pages'],
  events: [],
  kyc: ['accounts', 'claims', 'events', 'journal', 'media'],
  media: [],
  pages: [],
}

/** The rooms of money, from the bottom up. A path belongs to the room with the longest name that it begins with. */
const MONEY = [
  'lib/payments/state/',
  'lib/providers/',
  // The ports, keys and views of payments, which its rooms share.
  'lib/payments/',
  'lib/payments/change/',
  'lib/payments/callbacks/',
  'lib/payments/checkout/',
  'lib/payments/refunds/',
  'lib/payments/reconcile/',
  'lib/payments/receipts/',
  'lib/payments/lists/',
  'lib/payments/payers/',
  'lib/ledger/',
  'lib/payment-requests/',
  'lib/payouts/',
]

const RULES: Rule[] = [
  {
    sentence: 'Only the stacks of lib/http know middy.',
    of: (path) =>
      !/^lib\/http\/(stack\/(serve-http|middleware)|job|input\/(json-body|multipart-body))\.ts$/.test(path),
    breaks: (file) => imports(file, ({ from }) => from.startsWith('@middy/')),
  },
  {
    sentence: 'Only adapters and the tools of this machine know the AWS SDK.',
    of: (path) => !ADAPTER.test(path) && !TOOLS.test(path),
    breaks: (file) => imports(file, ({ from }) => /^@(aws-sdk|smithy)\//.test(from)),
  },
  {
    sentence: 'Only the adapter of sharp knows sharp, so that only the function that needs it carries it.',
    of: (path) => !path.endsWith('.sharp.ts'),
    breaks: (file) => imports(file, ({ from }) => from === 'sharp'),
  },
  {
    sentence: 'Only lib/http, the stream and jobs know the shape of a Lambda event.',
    of: (path) => !/^lib\/(http|local|package)\/|^lib\/dynamo\/stream\.ts$|^functions\/jobs\//.test(path),
    breaks: (file) => imports(file, ({ from }) => from === 'aws-lambda'),
  },
  {
    sentence: 'Only lib/config/config.ts and the tools of this machine read the environment.',
    of: (path) => path !== 'lib/config/config.ts' && !TOOLS.test(path),
    breaks: ({ code }) => mentions(code, /\bprocess\.(env|argv)\b/g),
  },
  {
    sentence: 'Nobody asks the machine for the time or for chance but the kernel, adapters, tools and pages.',
    of: (path) =>
      !/^lib\/kernel\//.test(path) && !ADAPTER.test(path) && !TOOLS.test(path) && !PAGES.test(path),
    breaks: (file) => generatorsIn(file).filter((found) => !(GENERATORS[file.path] ?? []).includes(found)),
  },
  {
    sentence: 'A domain file knows no adapter: it is handed one.',
    of: (path) => DOMAIN.test(path) && !ADAPTER.test(path) && !path.endsWith('.keys.ts'),
    breaks: (file) =>
      adaptersIn(file)
        .filter((from) => !(COMPOSERS[file.path] ?? []).some((known) => from.startsWith(known)))
        .map((from) => `imports ${from}`),
  },
  {
    sentence: 'A domain file knows no HTTP.',
    of: (path) => DOMAIN.test(path) && !ADAPTER.test(path),
    breaks: (file) => imports(file, ({ from }) => /^lib\/http\/|^node:https?$/.test(from)),
  },
  {
    sentence: 'A domain has its own adapters and no other’s.',
    of: (path) => DOMAIN.test(path) && ADAPTER.test(path),
    breaks: (file) =>
      imports(
        file,
        ({ from }) => DOMAIN.test(from) && ADAPTER.test(from) && nounOf(from) !== nounOf(file.path),
      ),
  },
  ...Object.entries(KNOWN_NOUNS).map(
    ([noun, known]): Rule => ({
      sentence: `Of the domain, ${noun} knows ${known.join(', ') || 'nobody'}.`,
      of: (path) => path.startsWith(`lib/${noun}/`),
      breaks: (file) =>
        imports(file, ({ from }) => DOMAIN.test(from) && ![noun, ...known].includes(nounOf(from))),
    }),
  ),
  {
    sentence:
      'Money looks down: providers at the state of payments, payments at both, and ledger, payment requests and payouts at payments.',
    of: (path) => floorOf(path) >= 0,
    breaks: (file) => imports(file, ({ from }) => floorOf(from) > floorOf(file.path)),
  },
  {
    sentence: 'Nobody in the domain knows privacy, which looks into every noun.',
    of: (path) => DOMAIN.test(path) && nounOf(path) !== 'privacy',
    breaks: (file) => imports(file, ({ from }) => from.startsWith('lib/privacy/')),
  },
  {
    sentence: 'lib/http knows no domain.',
    of: (path) => path.startsWith('lib/http/'),
    breaks: (file) =>
      imports(file, ({ from, isOurs }) => isOurs && !/^lib\/(http|kernel|config)\//.test(from)),
  },
  {
    sentence: 'lib/dynamo knows no domain.',
    of: (path) => path.startsWith('lib/dynamo/'),
    breaks: (file) => imports(file, ({ from }) => DOMAIN.test(from)),
  },
  {
    sentence: 'The kernel knows nobody.',
    of: (path) => path.startsWith('lib/kernel/'),
    breaks: (file) =>
      imports(file, ({ from, isOurs }) =>
        isOurs
          ? !from.startsWith('lib/kernel/')
          : !/^(zod|ulid|node:async_hooks|node:crypto|node:timers\/promises)$/.test(from),
      ),
  },
  {
    sentence: 'A function is composed of lib and zod, and of nothing else.',
    of: (path) => /^functions\/(?!service\/|jobs\/)/.test(path),
    breaks: (file) =>
      imports(file, ({ from, isOurs }) => (isOurs ? !from.startsWith('lib/') : from !== 'zod')),
  },
  {
    sentence: 'No function and no domain knows the tools of this machine.',
    of: (path) => !TOOLS.test(path),
    breaks: (file) => imports(file, ({ from }) => TOOLS.test(from)),
  },
  {
    sentence: 'Nothing in lib knows a function but the tools of this machine.',
    of: (path) => path.startsWith('lib/') && !TOOLS.test(path),
    breaks: (file) => imports(file, ({ from }) => from.startsWith('functions/')),
  },
  {
    sentence: 'What runs knows no test.',
    of: () => true,
    breaks: (file) => imports(file, ({ from }) => from.startsWith('test/')),
  },
  {
    sentence: 'A function is a declaration: about 40 lines beside its imports, and it never decides.',
    of: (path) => path.startsWith('functions/') && !path.endsWith('.derived.ts'),
    breaks: ({ code, text }) => [
      ...mentions(code, /\b(if|for|while|switch|try) ?[({]/g),
      ...(linesOf(text) > 50 ? [`has ${linesOf(text)} lines`] : []),
    ],
  },
  {
    sentence: 'Keys are spelled only in <noun>.keys.ts.',
    of: (path) => !path.endsWith('.keys.ts') && !/^lib\/(dynamo|kernel|local|package)\//.test(path),
    breaks: ({ text, code }) => [
      ...mentions(code, /\b(pk|sk|gsi\dpk|gsi\dsk):(?! z\.)/g),
      ...mentions(text, /[`'][A-Z]{3,}#/g),
    ],
  },
  {
    sentence: 'Keys are taken apart only in <noun>.keys.ts and lib/dynamo.',
    of: (path) => path.endsWith('.dynamo.ts') && !path.startsWith('lib/dynamo/'),
    breaks: ({ code }) => mentions(code, /\b(pk|sk|order|last)\)?\.(split|slice|indexOf|replace)\(/g),
  },
  {
    sentence: 'Only the table and the outbox of events make writes.',
    of: (path) => !['lib/kernel/write.ts', 'lib/dynamo/table.ts', 'lib/events/event.ts'].includes(path),
    breaks: ({ code }) => mentions(code, /\ballowed\(\{/g),
  },
  {
    sentence: 'Nothing scans the table.',
    of: (path) => !TOOLS.test(path),
    breaks: ({ code }) => mentions(code, /\b(Scan|ExecuteStatement)Command\b/g),
  },
  {
    sentence: 'Nothing outside its own file and the registry names a payment provider.',
    of: (path) =>
      !/^lib\/providers\/(adapters\/|registry\.ts|kit\/standard-webhooks\.ts|mobile-networks\.ts)/.test(
        path,
      ) && !TOOLS.test(path),
    breaks: ({ text }) => mentions(text.replace(/\.meta\(\{[^}]*\}\)/g, ''), PROVIDER_NAMES),
  },
  {
    sentence: 'A file says what it exports: no default, no star, no barrel.',
    of: (path) => !path.endsWith('.d.ts'),
    breaks: ({ path, text }) => [
      ...mentions(text, /^export (default|\*).*/gm),
      ...(/(^|\/)index\.ts$/.test(path) ? ['is named index.ts'] : []),
      ...(/^(?!export .* from |\s*(\/\*|\*|\/\/)|$)/m.test(text)
        ? []
        : ['only passes on what others export']),
    ],
  },
  {
    sentence: 'Types are told, not silenced: no any, no !, no suppression.',
    of: (path) => !path.endsWith('.d.ts'),
    breaks: ({ code, text }) => [
      ...mentions(code, /(?<=[:<,|&(] ?|\bas )\bany\b(?=[\s,;)>\][|&=]|$)/gm),
      ...mentions(code, /[\w\])]!(?![=\w])/g),
      ...mentions(text, /@ts-(ignore|nocheck|expect-error).*/g),
      ...mentions(
        text,
        /biome-ignore lint\/\w+\/(noExplicitAny|noNonNullAssertion|noDefaultExport|noBarrelFile).*/g,
      ),
    ],
  },
]

/** What is chance or time by its nature: a salt. */
const GENERATORS: Record<string, string[]> = {
  'lib/accounts/passwords/password.ts': ['randomBytes('],
}

/** Where the domain's dependencies are made of the configuration. */
const COMPOSERS: Record<string, string[]> = {
  'lib/administration/reports-and-claims.ts': [
    'lib/dynamo/',
    'lib/claims/claim-store.dynamo.ts',
    'lib/reports/report-store.dynamo.ts',
  ],
  'lib/privacy/mail-erasure.ts': [
    'lib/dynamo/',
    'lib/accounts/mailed-links/mailed-links.dynamo.ts',
    'lib/mail/mail-queue.dynamo.ts',
    'lib/mail/suppression.dynamo.ts',
  ],
  'lib/mail/configured-mailer.ts': ['lib/mail/mailer.'],
  'lib/providers/registry.ts': ['lib/config/secrets.ts', 'lib/providers/adapters/', 'lib/providers/http.ts'],
}

/** The registry is the one place that names every provider; the rooms are told apart by everything else. */
const REGISTRY = 'lib/providers/registry.ts'

/** Folders of `functions` and `test` that mirror no noun: what starts jobs, the service itself, what tests use. */
const NO_NOUNS = ['jobs', 'service', 'bench', 'contract', 'fuzz', 'readme', 'support']

/**
 * A top-level noun of lib; a file that lies in lib itself is a noun of its own. So is the state of payments, of which
 * providers make statements.
 */
const topOf = (path: string): string | undefined => {
  if (path.startsWith('lib/payments/state/')) return 'lib/payments/state'
  return path.startsWith('lib/') ? path.split('/').slice(0, 2).join('/') : undefined
}

/** A folder inside a noun; the noun's own files, which its folders share, belong to none. */
const roomOf = (path: string): string | undefined => {
  const parts = path.split('/')
  return path.startsWith('lib/') && parts.length > 3 && path !== REGISTRY
    ? parts.slice(0, 3).join('/')
    : undefined
}

/** The place of a path among the rooms of money, counted from the bottom; -1 for any other path. */
const floorOf = (path: string): number => {
  const [room = ''] = MONEY.filter((each) => path.startsWith(each)).toSorted(
    (one, other) => other.length - one.length,
  )
  return MONEY.indexOf(room)
}

/** The lines of a file beside its imports. */
const linesOf = (text: string): number =>
  text.replaceAll(/^import [^']*'[^']*'\n/gm, '').split('\n').length - 1

const circles = (graph: Graph): string[] => circlesOf(graph).map((members) => members.sort().join(', '))

const nounOf = (path: string): string => path.split('/')[1] ?? ''

describe('the house', () => {
  it.each(RULES)('$sentence', ({ sentence, of, breaks }) => {
    const about = files.filter(({ path }) => of(path))
    expect(about.length, `No file is meant by "${sentence}"`).toBeGreaterThan(0)
    const broken = about.flatMap((file) => breaks(file).map((what) => `${file.path} ${what}`))
    expect(broken, `${sentence} But:\n${broken.join('\n')}\n`).toEqual([])
  })

  it.each([
    ['Files', (path: string) => path],
    ['Nouns', topOf],
    ['Folders inside a noun', roomOf],
  ])('%s import each other in no circle, by value or by type.', (what, partOf) => {
    const found = circles(graphOf(files, partOf))
    expect(found, `${what} import each other in no circle. But:\n${found.join('\n')}\n`).toEqual([])
  })

  it('Functions and tests stand in folders that lib has too.', async () => {
    const folders = await Promise.all(['functions', 'test', 'lib'].map(foldersIn))
    const [called = [], tested = [], nouns = []] = folders
    const strangers = [...called, ...tested].filter((name) => ![...nouns, ...NO_NOUNS].includes(name))
    expect(strangers, `lib has no folder named ${strangers.join(' or ')}`).toEqual([])
  })

  it('Every exemption is used.', async () => {
    const used = new Set([...uses(GENERATORS, generatorsIn), ...uses(COMPOSERS, adaptersIn)])
    const granted = [GENERATORS, COMPOSERS].flatMap((exemptions) =>
      Object.entries(exemptions).flatMap(([path, exempt]) => exempt.map((each) => `${path} ${each}`)),
    )
    expect(granted.filter((exemption) => !used.has(exemption))).toEqual([])
    const folders = (await Promise.all(['functions', 'test'].map(foldersIn))).flat()
    expect(NO_NOUNS.filter((name) => !folders.includes(name))).toEqual([])
  })

  it('Tests read a body as its endpoint declares it, and cast nothing to `never`.', async () => {
    const casting = (await sourceFiles('test')).filter(({ code }) =>
      /\bbody as (?!const\b)|\bas never\b/.test(code),
    )
    expect(casting.map(({ path }) => path)).toEqual(CASTING_TESTS)
  })

  it('Every import of ours is a file that is there.', () => {
    const known = new Set(files.map(({ path }) => path))
    const missing = files.flatMap(({ path, imports }) =>
      imports.flatMap(({ from, isOurs }) =>
        isOurs && !known.has(from) && !/\.json$|\/generated\//.test(from) ? [`${path} imports ${from}`] : [],
      ),
    )
    expect(missing).toEqual([])
  })

  it('The linter refuses what would break these rules unseen.', async () => {
    const biome = JSON.parse(await readFile(new URL('../../biome.json', import.meta.url), 'utf8'))
    expect(biome.linter.rules).toMatchObject({
      style: { noDefaultExport: 'error', noNonNullAssertion: 'error' },
      suspicious: { noExplicitAny: 'error' },
      performance: { noBarrelFile: 'error' },
    })
  })
})

const foldersIn = async (folder: string): Promise<string[]> =>
  (await readdir(new URL(`../../${folder}/`, import.meta.url), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

/** The exemptions that a file needs, each as its path and what is exempt. */
const uses = (exemptions: Record<string, string[]>, found: (file: SourceFile) => string[]): string[] =>
  files.flatMap((file) =>
    (exemptions[file.path] ?? [])
      .filter((exempt) => found(file).some((each) => each.startsWith(exempt)))
      .map((exempt) => `${file.path} ${exempt}`),
  )
