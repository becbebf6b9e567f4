import { startVitest } from 'vitest/node'

// `npm run bench -- lives 20000`: plays so many random lives of a payment, others at each run. `npm test` plays three hundred.

process.env['LIVES'] = process.argv[2] ?? '20000'
const vitest = await startVitest('test', ['test/payments/truth'], { project: ['service'], watch: false })
await vitest.close()
