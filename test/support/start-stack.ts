import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import type { TestProject } from 'vitest/node'
import { startDynamo } from '#lib/local/dynamodb'
import { startS3 } from '#lib/local/s3/s3-server'
import { type KeySet, TEST_BUCKETS, TEST_CREDENTIALS } from './test-stack.ts'

/** Starts a DynamoDB and an S3 that files share, in a temporary folder, and ends them after the last test. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'platform-test-'))
  const dynamo = await startDynamo()
  const s3 = await startS3({ directory, credentials: TEST_CREDENTIALS, buckets: TEST_BUCKETS })
  project.provide('stack', {
    dynamoEndpoint: dynamo.endpoint,
    s3Endpoint: s3.endpoint,
    mediaUrl: s3.mediaUrl,
    signingKeys: { keys: [await privateKey('EdDSA', 'platform-test')] },
    consoleKeys: { keys: [await privateKey('RS256', 'console-test')] },
  })
  return async () => {
    await Promise.all([dynamo.stop(), s3.stop()])
    await rm(directory, { recursive: true, force: true })
  }
}

async function privateKey(algorithm: string, kid: string): Promise<KeySet['keys'][number]> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  return { ...(await exportJWK(privateKey)), kid, alg: algorithm, use: 'sig' }
}
