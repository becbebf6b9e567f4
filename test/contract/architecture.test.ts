import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Import, type SourceFile, sourceFiles } from '#test/support/source-files'

let files: SourceFile[]

beforeAll(async () => {
  files = await sourceFiles('lib', 'functions')
})

/** The domain: nouns, ports and use cases. */
const DOMAIN = /^lib\/(accounts|privacy|kyc|listings|media|payments|events|mail)\//
/** Where the domain meets the world: a store, a bus, a provider, a connection. */
const ADAPTER =
  /\.(dynamo|s3|sharp|eventbridge|ses|smtp)\.ts$|^lib\/dynamo\/|^lib\/secrets\.ts$|^lib\/s3-client\.ts$|^lib\/payments\/(providers\/|provider\/http\.ts)/
/** What runs on a developer's machine only. */
const TOOLS = /^lib\/(local|package)\//

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

const RULES: Rule[] = [
  {
    sentence: 'Only the stacks of lib/http know middy.',
    of: (path) => !/^lib\/http\/(endpoint|serve|callback|job|observe|multipart-body)\.ts$/.test(path),
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
    sentence: 'Only lib/config.ts and the tools of this machine read the environment.',
    of: (path) => path !== 'lib/config.ts' && !TOOLS.test(path),
    breaks: ({ code }) => mentions(code, /\bprocess\.(env|argv)\b/g),
  },
  {
    sentence: 'Nobody asks the machine for the time or for chance but the kernel, adapters and tools.',
    of: (path) => !/^lib\/kernel\//.test(path) && !ADAPTER.test(path) && !TOOLS.test(path),
    breaks: ({ path, code }) =>
      mentions(
        code,
        /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bMath\.random\b|\brandom[A-Z]\w*\(/g,
      ).filter((found) => !(GENERATORS[path] ?? []).includes(found)),
  },
  {
    sentence: 'A domain file knows no adapter: it is handed one.',
    of: (path) => DOMAIN.test(path) && !ADAPTER.test(path) && !path.endsWith('.keys.ts'),
    breaks: (file) =>
      imports(
        file,
        ({ from, isOurs }) =>
          isOurs &&
          ADAPTER.test(from) &&
          !(COMPOSERS[file.path] ?? []).some((known) => from.startsWith(known)),
      ),
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
  {
    sentence: 'lib/http knows no domain.',
    of: (path) => path.startsWith('lib/http/'),
    breaks: (file) =>
      imports(file, ({ from, isOurs }) => isOurs && !/^lib\/(http\/|kernel\/|config\.ts)/.test(from)),
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
          : !/^(zod|ulid|node:crypto|node:timers\/promises)$/.test(from),
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
    sentence: 'A function is a declaration: about 40 lines, and it never decides.',
    of: (path) => path.startsWith('functions/') && !path.endsWith('.derived.ts'),
    breaks: ({ code, text }) => [
      ...mentions(code, /\b(if|for|while|switch|try) ?[({]/g),
      ...(text.split('\n').length > 46 ? [`has ${text.split('\n').length - 1} lines`] : []),
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
    sentence: 'Nothing scans the table.',
    of: (path) => !TOOLS.test(path),
    breaks: ({ code }) => mentions(code, /\b(Scan|ExecuteStatement)Command\b/g),
  },
  {
    sentence: 'Nothing outside its own file and the registry names a payment provider.',
    of: (path) =>
      !/^lib\/payments\/(providers\/|provider\/registry\.ts|provider\/kit\/standard-webhooks\.ts)/.test(
        path,
      ) && !TOOLS.test(path),
    breaks: ({ text }) =>
      mentions(text.replace(/\.meta\(\{[^}]*\}\)/g, ''), /\b(stripe|paystack|sandbox)\b/gi),
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

/** What is chance or time by its nature: a salt, a jitter, the age of keys. */
const GENERATORS: Record<string, string[]> = {
  'lib/accounts/passwords/password.ts': ['randomBytes('],
  'lib/http/fetch-keys.ts': ['Date.now'],
  'lib/payments/until-won.ts': ['randomInt('],
}

/** Where the domain's dependencies are made of the configuration. */
const COMPOSERS: Record<string, string[]> = {
  'lib/accounts/sessions/token-issuer.ts': ['lib/secrets.ts'],
  'lib/mail/configured-mailer.ts': ['lib/mail/mailer.'],
  'lib/payments/provider/registry.ts': [
    'lib/secrets.ts',
    'lib/payments/providers/',
    'lib/payments/provider/http.ts',
  ],
}

const nounOf = (path: string): string => path.split('/')[1] ?? ''

describe('the house', () => {
  it.each(RULES)('$sentence', ({ sentence, of, breaks }) => {
    const about = files.filter(({ path }) => of(path))
    expect(about.length, `No file is meant by "${sentence}"`).toBeGreaterThan(0)
    const broken = about.flatMap((file) => breaks(file).map((what) => `${file.path} ${what}`))
    expect(broken, `${sentence} But:\n${broken.join('\n')}\n`).toEqual([])
  })

  it('Nothing imports itself, by whatever way round.', () => {
    const graph = new Map(
      files.map(({ path, imports }) => [
        path,
        imports.flatMap(({ from, isOurs, isTypeOnly }) => (isOurs && !isTypeOnly ? [from] : [])),
      ]),
    )
    expect([...graph.keys()].flatMap((path) => roundTrip(graph, path) ?? [])).toEqual([])
  })

  it('Every import of ours is a file that is there.', () => {
    const known = new Set(files.map(({ path }) => path))
    const missing = files.flatMap(({ path, imports }) =>
      imports.flatMap(({ from, isOurs }) =>
        isOurs && !known.has(from) && !from.endsWith('.json') ? [`${path} imports ${from}`] : [],
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

/** The way from a file back to itself; undefined when there is none. */
function roundTrip(graph: Map<string, string[]>, start: string): string | undefined {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    for (const next of graph.get(path) ?? []) {
      if (next === start) return [start, ...wayBack(cameFrom, path, start)].join(' ← ')
      if (!cameFrom.has(next)) {
        cameFrom.set(next, path)
        queue.push(next)
      }
    }
  }
  return undefined
}

function wayBack(cameFrom: Map<string, string>, from: string, start: string): string[] {
  const way = [from]
  for (let path = from; path !== start; ) {
    path = cameFrom.get(path) ?? start
    way.push(path)
  }
  return way
}
