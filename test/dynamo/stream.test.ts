import { describe, expect, it } from 'vitest'
import { followInOrder } from '#lib/dynamo/stream'

const batch = ['1', '2', '3', '4'].map((recordId) => ({ recordId }))

/** Follows the batch, failing at some of it; says what was followed and what the event source is told. */
async function followed(failing: readonly string[]) {
  const done: string[] = []
  const follow = async ({ recordId }: { recordId: string }) => {
    if (failing.includes(recordId)) throw new Error(`${recordId} cannot be followed`)
    done.push(recordId)
  }
  const answer = await followInOrder(batch, follow).catch((error: Error) => error.message)
  return { done, answer }
}

describe('a batch of the stream', () => {
  it('is followed in its order', async () => {
    expect(await followed([])).toEqual({ done: ['1', '2', '3', '4'], answer: { batchItemFailures: [] } })
  })

  it('comes again from the first that could not be followed, and nothing after it is followed before', async () => {
    expect(await followed(['3'])).toEqual({
      done: ['1', '2'],
      answer: { batchItemFailures: [{ itemIdentifier: '3' }] },
    })
  })

  it('fails as a whole, for the log to say why, when its first cannot be followed', async () => {
    expect(await followed(['1', '2'])).toEqual({ done: [], answer: '1 cannot be followed' })
  })
})
