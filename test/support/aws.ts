import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as dynamodb from '@aws-sdk/client-dynamodb'
import { localDynamoClient } from '#lib/local/dynamodb'
import { portsFrom } from '#lib/local/ports'
import { readSettings } from '#lib/local/settings'
import { copyTable } from './copied-table.ts'

// Stands at the place of the AWS CLI, for the commands of the operator's book on a local stack: `aws dynamodb` speaks to its
// database. Of what the local database does not know, a restore copies the table that the test keeps of a moment, and the
// rest is noted in `aws.log`. A command or an option that the SDK does not know fails.

const { port, directory } = readSettings(process.env)
const client = localDynamoClient(`http://127.0.0.1:${portsFrom(port).dynamodb}`)
const [service = '', operation = '', ...rest] = process.argv.slice(2)

type Options = Record<string, string | true>
type Input = Record<string, unknown>

const pascal = (name: string): string =>
  name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())

function optionsOf(words: readonly string[]): Options {
  const options: Options = {}
  for (const [index, word] of words.entries()) {
    if (!word.startsWith('--')) continue
    const value = words[index + 1]
    options[word.slice(2)] = value === undefined || value.startsWith('--') ? true : value
  }
  return options
}

/** A value as the CLI reads it: JSON, its shorthand `Name=value,Name=value`, or text. */
function parsed(text: string): unknown {
  if (/^[{[]/.test(text)) return JSON.parse(text)
  if (!/^\w+=[^\s,]+(,\w+=[^\s,]+)*$/.test(text)) return text
  const entries = text.split(',').map((each) => each.split('='))
  return Object.fromEntries(
    entries.map(([name, value = '']) => [name, /^(true|\d+)$/.test(value) ? JSON.parse(value) : value]),
  )
}

function inputOf(options: Options): Input {
  const given = Object.entries(options).filter(([name]) => name !== 'query' && name !== 'output')
  return Object.fromEntries(
    given.map(([name, value]) => {
      const isNegated = value === true && name.startsWith('no-')
      return [pascal(isNegated ? name.slice(3) : name), value === true ? !isNegated : parsed(value)]
    }),
  )
}

/** The few forms of JMESPath that the book uses. */
function select(expression: string, value: unknown): unknown {
  const [, key = '', inner] = /^\{(\w+): (.+)\}$/s.exec(expression) ?? []
  if (inner !== undefined) return { [key]: select(inner, value) }
  const [, list] = /^\[(.+)\]$/s.exec(expression) ?? []
  if (list !== undefined) return list.split(', ').map((each) => select(each, value))
  const [, items = '', each] = /^(\w+)\[\]\.(.+)$/s.exec(expression) ?? []
  if (each !== undefined)
    return ((value as Record<string, unknown[]>)[items] ?? []).map((item) => select(each, item))
  return expression.split('.').reduce((found, name) => (found as Input | undefined)?.[name], value)
}

const asText = (value: unknown): string =>
  Array.isArray(value)
    ? value.map((each) => (Array.isArray(each) ? each.join('\t') : `${each}`)).join('\n')
    : `${value}`

/** What the local database cannot do, by the CLI's name. */
const STAND_INS: Record<string, (input: Input) => Promise<unknown>> = {
  'restore-table-to-point-in-time': ({ SourceTableName, TargetTableName }) =>
    copyTable(client, `${SourceTableName}-moment`, `${TargetTableName}`),
  'put-resource-policy': async ({ Policy }) => JSON.stringify(Policy),
  'update-continuous-backups': async () => ({}),
  wait: async (input) =>
    dynamodb.waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName: `${input['TableName']}` }),
  scan: async (input) => {
    const Items: unknown[] = []
    for await (const page of dynamodb.paginateScan(
      { client },
      { TableName: `${input['TableName']}`, ...input },
    ))
      Items.push(...(page.Items ?? []))
    return { Items }
  },
}

async function answer(options: Options): Promise<unknown> {
  if (service === 'cloudformation' && operation === 'describe-stack-resource')
    return { StackResourceDetail: { PhysicalResourceId: 'platform-local' } }
  if (service !== 'dynamodb') throw new Error(`aws ${service} ${operation} has no stand-in`)
  const name = `${operation === 'wait' ? 'DescribeTable' : pascal(operation)}Command`
  const Command = (dynamodb as unknown as Record<string, new (input: Input) => never>)[name]
  if (!Command) throw new Error(`aws dynamodb ${operation} does not exist`)
  const input = inputOf(options)
  return STAND_INS[operation]?.(input) ?? client.send(new Command(input))
}

await appendFile(join(directory, 'aws.log'), `${service} ${operation} ${rest.join(' ')}\n`)
const options = optionsOf(rest)
const whole = await answer(options)
const answered = typeof options['query'] === 'string' ? select(options['query'], whole) : whole
console.log(options['output'] === 'text' ? asText(answered) : JSON.stringify(answered, null, 4))
