import { join } from 'node:path'
import type { Plugin } from 'esbuild'

/**
 * Replaces modules of the AWS SDK that a function would load without use. On Lambda credentials come from the
 * environment, no home directory holds files, and streams are Node's own. Where a new version of the SDK moves them,
 * functions work as before and start slower; test/package/artefact/bundle.test.ts fails then.
 */
export const sdkStandIns: Plugin = {
  name: 'sdk-stand-ins',
  setup: (build) => {
    build.onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, () => ({ path: CREDENTIALS }))
    build.onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: 'event-streams', namespace: 'none' } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: NO_EVENT_STREAMS }))
    build.onLoad({ filter: /\/shared-ini-file-loader\/readFile\.js$/ }, () => ({ contents: NO_FILES }))
    build.onLoad({ filter: /\/util-stream\/stream-type-check\.js$/ }, () => ({ contents: BY_NAME }))
  },
}

/** A module that reads the credentials from the environment alone: it saves a cold start 11 ms. */
const CREDENTIALS = join(import.meta.dirname, 'lambda-credentials.ts')

/**
 * No operation of ours streams events. The SDK imports them dynamically, which makes esbuild wrap every module of the
 * SDK's core in a function and keep the whole of it.
 */
const NO_EVENT_STREAMS = `
  export class EventStreamSerde { constructor() { throw new Error('Event streams are not bundled') } }
  export const eventStreamSerdeProvider = undefined
`

/** Saves 2 ms: `node:fs/promises` is not loaded, and two files are not looked for before the first request. */
const NO_FILES = `
  const missing = () => Object.assign(new Error('Lambda has no profiles'), { code: 'ENOENT' })
  export const filePromises = {}
  export const fileIntercept = {}
  export const readFile = async () => { throw missing() }
`

/** Saves 2 ms: naming the global `ReadableStream` or `Blob` would load Node's web streams. */
const BY_NAME = `
  export const isReadableStream = (stream) => stream?.constructor?.name === 'ReadableStream'
  export const isBlob = (blob) => blob?.constructor?.name === 'Blob'
`
