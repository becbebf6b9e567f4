import { readFile } from 'node:fs/promises'
import {
  InvokeCommand,
  type LambdaClient,
  UpdateFunctionCodeCommand,
  waitUntilFunctionUpdatedV2,
} from '@aws-sdk/client-lambda'

/** The logical id of `rebuildSearch` in the stack. */
export const REBUILD_SEARCH_ID = 'RebuildSearchLambdaFunction'

const ZIP = new URL('../../.serverless/rebuildSearch.zip', import.meta.url)
const UPDATED_WITHIN_SECONDS = 120

/**
 * Lets the packaged `rebuildSearch` make the snapshot of its schema, if there is none yet. The searches of the last release
 * go on with their own. CloudFormation deploys the same code later. Throws for a function that fails.
 */
export async function prepareSearch(client: LambdaClient, FunctionName: string): Promise<void> {
  await client.send(new UpdateFunctionCodeCommand({ FunctionName, ZipFile: await readFile(ZIP) }))
  await waitUntilFunctionUpdatedV2({ client, maxWaitTime: UPDATED_WITHIN_SECONDS }, { FunctionName })
  const Payload = JSON.stringify({ onlyIfMissing: true })
  const answer = await client.send(new InvokeCommand({ FunctionName, Payload }))
  if (answer.FunctionError) throw new Error(`${FunctionName}: ${answer.Payload?.transformToString()}`)
}
