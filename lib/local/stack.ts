import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createTable, localDynamoClient, startDynamo } from './dynamodb.ts'
import { type Environment, localEnvironment, openidIssuer } from './environment.ts'
import { startFunctions } from './functions.ts'
import { type LocalRoute, startGateway } from './gateway.ts'
import { localKeys } from './keys.ts'
import { requireFree } from './listen.ts'
import { startOpenid } from './openid.ts'
import { type Ports, portsFrom } from './ports.ts'
import { announceRunning, runningOn } from './running.ts'
import { startS3 } from './s3.ts'
import type { LocalSettings } from './settings.ts'

export type Stack = {
  environment: Environment
  ports: Ports
  /** Resolves, with a sentence, when a part of the stack ends that should not. */
  broken: Promise<string>
  stop: () => Promise<void>
}

/**
 * Starts everything, each part on its port, and resolves when `GET /health` answers 200 through the front
 * gateway. When one part does not start, those that did are ended and the reason is thrown.
 */
export async function startStack(settings: LocalSettings, caller: NodeJS.ProcessEnv): Promise<Stack> {
  const ports = portsFrom(settings.port)
  const { directory } = settings
  const other = await runningOn(directory)
  if (other !== undefined)
    throw new Error(`A stack runs on ${directory} already, at http://localhost:${other}.`)
  await requireFree(Object.values(ports))

  const keys = await localKeys(directory)
  const environment = localEnvironment(ports, keys, caller)
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    await Promise.allSettled(stops.splice(0).map((end) => end()))
  }
  const ends: Promise<string>[] = []

  const database = async () => {
    if (!caller['AWS_ENDPOINT_URL_DYNAMODB']) {
      const dynamo = await startDynamo({ port: ports.dynamodb, file: join(directory, 'dynamodb.sqlite') })
      stops.push(dynamo.stop)
      ends.push(dynamo.ended.then((said) => `The local DynamoDB ended. ${said}`))
    }
    await createTable(
      localDynamoClient(value(environment, 'AWS_ENDPOINT_URL_DYNAMODB')),
      value(environment, 'TABLE_NAME'),
    )
  }
  const objects = async () => {
    const buckets = {
      media: value(environment, 'MEDIA_BUCKET'),
      documents: value(environment, 'DOCUMENTS_BUCKET'),
    }
    const s3 = await startS3({ directory: join(directory, 's3'), credentials: keys, buckets, ports })
    stops.push(s3.stop)
  }
  const openid = async () => {
    const provider = await startOpenid({
      port: ports.openid,
      issuer: openidIssuer(ports),
      publicUrl: value(environment, 'PUBLIC_URL'),
      keys,
    })
    stops.push(provider.stop)
  }
  const functions = async () => {
    const child = await startFunctions({ ports, environment, onLog: (line) => console.log(line) })
    stops.push(child.stop)
    ends.push(child.ended.then((said) => `The functions ended. ${said}`))
  }
  const front = async () => {
    const running = await announceRunning(directory, ports.gateway)
    stops.push(running.withdraw)
    const routes: LocalRoute[] = [running.route]
    const gateway = await startGateway({ port: ports.gateway, functionsPort: ports.functions, routes })
    stops.push(gateway.stop)
  }

  const started = await Promise.allSettled([database(), objects(), openid(), functions(), front()])
  const failed = started.find((outcome) => outcome.status === 'rejected')
  if (failed) {
    await stop()
    throw failed.reason
  }
  await healthy(ports.gateway)
  return { environment, ports, broken: Promise.race(ends), stop }
}

async function healthy(port: number): Promise<void> {
  const patience = AbortSignal.timeout(30_000)
  while (!(await fetch(`http://localhost:${port}/health`, { signal: patience })).ok) await wait(100)
}

const value = (environment: Environment, name: string): string => environment[name] ?? ''
