/** Private keys, as JSON Web Keys. */
export type KeySet = { keys: Record<string, unknown>[] }

/** What every test file is given of the servers that are started once for all of them. */
type TestStack = {
  dynamoEndpoint: string
  s3Endpoint: string
  mediaUrl: string
  signingKeys: KeySet
  consoleKeys: KeySet
}

declare module 'vitest' {
  export interface ProvidedContext {
    stack: TestStack
  }
}

export const TEST_CREDENTIALS = { accessKeyId: 'testing', secretAccessKey: 'testing-secret' }
export const TEST_BUCKETS = { media: 'test-media', documents: 'test-documents' }
