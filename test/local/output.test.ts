import { describe, expect, it } from 'vitest'
import { openOutput } from '#lib/local/output'

const AT = new Date('2026-11-20T17:00:00.000Z')
const request = {
  level: 'info',
  time: AT.toISOString(),
  message: 'GET /listings 200',
  route: 'GET /listings',
}
const REQUEST = JSON.stringify({ ...request, status: 200, durationMilliseconds: 12 })
const METRIC = JSON.stringify({ message: 'LedgerFault', LedgerFault: 1, _aws: {} })

function written(format: 'text' | 'json') {
  const lines: string[] = []
  return {
    lines,
    output: openOutput(
      format,
      (line) => lines.push(line),
      () => AT,
    ),
  }
}

describe('the output of a local stack for a person', () => {
  it('shows steps and no request before the stack is ready', () => {
    const { lines, output } = written('text')
    output.step('The local S3')
    output.functionLine(REQUEST)
    output.note('event', 'user.registered usr_1')
    expect(lines).toEqual([expect.stringContaining('The local S3')])
  })

  it('shows a failure of a function before the stack is ready', () => {
    const { lines, output } = written('text')
    const cause = { name: 'Error', message: 'no table', stack: 'Error: no table\n    at here' }
    output.functionLine(JSON.stringify({ ...request, level: 'error', status: 500, code: 'internal', cause }))
    expect(lines.join('\n')).toMatch(/500.* GET \/listings .*internal\n {4}Error: no table\n {8}at here$/)
  })

  it('has one short line for a request and an event once the stack is ready', () => {
    const { lines, output } = written('text')
    output.ready('Platform API ready on http://localhost:3000', { docs: 'http://localhost:3000/docs' })
    output.functionLine(REQUEST)
    output.note('event', 'user.registered usr_1')
    expect(lines.slice(0, 2)).toEqual([
      'Platform API ready on http://localhost:3000',
      '  docs  http://localhost:3000/docs',
    ])
    expect(lines[2]).toMatch(/^.*\d\d:\d\d:\d\d.* .*200.* GET \/listings .*12 ms/)
    expect(lines[3]).toContain('user.registered usr_1')
  })

  it('leaves metrics and jobs that went well out, and shows jobs that failed', () => {
    const { lines, output } = written('text')
    output.ready('Platform API ready', {})
    output.functionLine(METRIC)
    output.functionLine(JSON.stringify({ level: 'info', message: 'job retryMails', job: 'retryMails' }))
    output.note('job', 'retryMails')
    output.note('job', 'retryMails failed')
    expect(lines.slice(1)).toEqual([expect.stringContaining('retryMails failed')])
  })
})

describe('the output of a local stack with LOG_FORMAT=json', () => {
  it('is one JSON object a line, and functions’ lines as they were written', () => {
    const { lines, output } = written('json')
    output.step('The local S3')
    output.functionLine(REQUEST)
    output.functionLine('✖ not JSON')
    output.note('mail', 'to awa@example.com: Hello')
    output.ready('Platform API ready on http://localhost:3000', { docs: 'http://localhost:3000/docs' })
    expect(lines[1]).toBe(REQUEST)
    expect(lines.map((line) => JSON.parse(line).message)).toEqual([
      'The local S3',
      'GET /listings 200',
      '✖ not JSON',
      'mail to awa@example.com: Hello',
      'Platform API ready on http://localhost:3000',
    ])
  })
})
