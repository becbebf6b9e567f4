import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { listenLocally } from '../../local/listen.ts'
import { startS3 } from '../../local/s3/s3-server.ts'
import type { Template } from '../../package/template/template.ts'
import { validate } from '../../package/validation.ts'
import { accountStandIn } from './account.ts'
import { cloudFormation } from './cloudformation.ts'
import { ValidationError } from './template-checks.ts'
import { gatewayAnswer } from './trust.ts'

const CREDENTIALS = { accessKeyId: 'REHEARSAL', secretAccessKey: 'of a deployment' }
const CALLER = '<Account>123456789012</Account><Arn>arn:aws:iam::123456789012:user/rehearsal</Arn>'
const BUCKET = 'rehearsed-artefacts'
/** The stacks that are rehearsed, each with a gateway that answers the smoke test after a deployment. */
const STACKS = ['platform-api-prod', 'platform-api-pilot']

/** A stand-in of AWS on loopback, for one rehearsal of deployments. */
export type AwsStandIn = {
  environment: Record<string, string>
  /** The template of a stack as it was deployed last. */
  deployed: (stackName: string) => Template | undefined
  /** The number of alarms that roll back an update of a stack. */
  rollbackAlarms: (stackName: string) => number
  /** Makes the next update of an existing stack fail and roll back. */
  failNext: (stackName: string) => void
  /** The keys of the deployment bucket. */
  keys: () => Promise<readonly string[]>
  putObject: (key: string, text: string) => Promise<unknown>
  /** The requests that the stand-in could not answer. */
  unknown: readonly string[]
  stop: () => Promise<void>
}

/** Starts CloudFormation, S3, STS, SES, SSM, Secrets Manager, ECR and Lambda as far as a deployment speaks to them. */
export async function startAws(): Promise<AwsStandIn> {
  const directory = await mkdtemp(join(tmpdir(), 'platform-deploy-'))
  const s3 = await startS3({
    directory,
    credentials: CREDENTIALS,
    // A rehearsal uses the first bucket alone.
    buckets: { media: BUCKET, documents: `${BUCKET}-2` },
  })
  const objects = new S3Client({ endpoint: s3.endpoint, region: 'eu-west-1', credentials: CREDENTIALS })
  const templateFile = `${directory}.json`
  const account = accountStandIn()
  const unknown: string[] = []
  const gatewayPorts = new Map<string, number>()
  const readObject = async (Key: string): Promise<string> => {
    const { Body } = await objects.send(new GetObjectCommand({ Bucket: BUCKET, Key }))
    return (await Body?.transformToString()) ?? ''
  }
  const { stacks, failNext, actions } = cloudFormation({
    bucket: BUCKET,
    outputOf: (stackName, key) => {
      if (key === 'ServerlessDeploymentBucketName') return BUCKET
      const host = `localhost:${gatewayPorts.get(stackName)}`
      return key === 'FrontDomain' ? host : `http://${host}`
    },
    hasParameter: account.hasParameter,
    validate: async (text) => {
      await writeFile(templateFile, text)
      return (await validate(templateFile)).findings
    },
    readObject,
    // The path of an address is the key, or the bucket and the key.
    readTemplate: (address) => {
      const path = decodeURIComponent(new URL(address).pathname.slice(1))
      return readObject(path.replace(`${BUCKET}/`, ''))
    },
    hasObject: (Bucket, Key) =>
      objects.send(new HeadObjectCommand({ Bucket, Key })).then(
        () => true,
        () => false,
      ),
  })

  const server = await listenLocally(0, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString('utf8')
    const target = `${request.headers['x-amz-target'] ?? ''}`
    if (target.startsWith('AmazonEC2ContainerRegistry_')) return sendJson(response, NO_REPOSITORY)
    const operation = account.operations[target]
    if (operation) return sendJson(response, operation(JSON.parse(body)))
    if (request.method === 'GET') return sendJson(response, restAnswer(request.url ?? ''))
    const form = new URLSearchParams(body)
    const action = form.get('Action') ?? ''
    const answer = action === 'GetCallerIdentity' ? () => CALLER : actions[action]
    if (!answer) unknown.push(target || action || `${request.method} ${request.url}`)
    await answerQuery(response, action, async () => {
      if (!answer) throw new ValidationError(`The stand-in does not know ${action}`)
      return answer(form)
    })
  })

  const gateways = await Promise.all(
    STACKS.map(async (name) => {
      const gateway = await listenLocally(0, ({ url = '' }, response) => {
        const [status, body] = gatewayAnswer(stacks.get(name)?.template, url)
        response.writeHead(status).end(body)
      })
      gatewayPorts.set(name, gateway.port)
      return gateway
    }),
  )

  return {
    environment: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${server.port}`,
      AWS_ENDPOINT_URL_S3: s3.endpoint,
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
      AWS_REGION: 'eu-west-1',
      // The milliseconds after which osls (a fork of the Serverless Framework) asks again how a deployment stands.
      SLS_AWS_MONITORING_FREQUENCY: '50',
    },
    deployed: (stackName) => stacks.get(stackName)?.template,
    /** The number of alarms that roll back an update of a stack. */
    rollbackAlarms: (stackName) => stacks.get(stackName)?.rolledBackBy.length ?? 0,
    failNext,
    keys: async () => {
      const { Contents = [] } = await objects.send(new ListObjectsV2Command({ Bucket: BUCKET }))
      return Contents.map(({ Key = '' }) => Key)
    },
    putObject: (Key, Body) => objects.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body })),
    unknown,
    stop: async () => {
      objects.destroy()
      await Promise.all([server.stop(), s3.stop(), ...gateways.map((gateway) => gateway.stop())])
      await Promise.all([directory, templateFile].map((path) => rm(path, { recursive: true, force: true })))
    },
  }
}

/** osls asks for a repository of images before it removes a stack. */
const NO_REPOSITORY = { status: 400, body: { __type: 'RepositoryNotFoundException' } }

/** Answers for SES and Lambda: every mail identity is verified, SES has production access, and no function exists. */
function restAnswer(path: string) {
  if (path.startsWith('/v2/email/identities/'))
    return { status: 200, body: { VerifiedForSendingStatus: true, DkimAttributes: { Status: 'SUCCESS' } } }
  if (path === '/v2/email/account') return { status: 200, body: { ProductionAccessEnabled: true } }
  if (path.endsWith('/account-settings'))
    return { status: 200, body: { AccountLimit: { ConcurrentExecutions: 1000 } } }
  return { status: 404, body: {} }
}

async function answerQuery(
  response: ServerResponse,
  action: string,
  answer: () => Promise<string>,
): Promise<void> {
  try {
    sendXml(response, action, await answer())
  } catch (error) {
    const code = error instanceof ValidationError ? 'ValidationError' : 'InternalFailure'
    sendError(response, code, error instanceof Error ? error.message : `${error}`)
  }
}

function sendJson(response: ServerResponse, { status, body }: { status: number; body: unknown }): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body))
}

/** Query protocol: the result stands within `<ActionResponse><ActionResult>`. */
function sendXml(response: ServerResponse, action: string, inner: string): void {
  const result = `<${action}Response><${action}Result>${inner}</${action}Result></${action}Response>`
  response.writeHead(200, { 'content-type': 'text/xml' }).end(result)
}

function sendError(response: ServerResponse, code: string, message: string): void {
  const text = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const error = `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${text}</Message></Error></ErrorResponse>`
  response.writeHead(400, { 'content-type': 'text/xml' }).end(error)
}
