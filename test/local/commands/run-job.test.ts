import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { listenLocally } from '#lib/local/local-server'

const COMMAND = join(import.meta.dirname, '../../../lib/local/commands/run-job.ts')

/** What the command says on its error output, where a stack has one schedule that it answers with 500. */
async function said(...args: string[]): Promise<string> {
  const stack = await listenLocally(0, ({ method }, response) => {
    if (method === 'GET') response.end('["reconcilePayments"]')
    else response.writeHead(500).end('no such table')
  })
  onTestFinished(() => stack.stop())
  const env = { ...process.env, PORT: `${stack.port}` }
  return promisify(execFile)(process.execPath, [COMMAND, ...args], { env }).then(
    () => '',
    ({ stderr }: { stderr: string }) => stderr,
  )
}

it('A job that the stack cannot run says so, and not that there is no stack.', async () => {
  expect(await said('reconcile')).toBe('The stack answered with 500: no such table\n')
})

it('A job takes its event from a file or a time, not from both.', async () => {
  expect(await said('reconcile', 'package.json', '--at', '2026-11-20T07:00:00Z')).toContain('either the file')
})
