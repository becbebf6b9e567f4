import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { consoleToken } from './commands/token.ts'
import { accountRoutes } from './demo/accounts.ts'
import { createTable, localDynamoClient, startDynamo } from './dynamodb.ts'
import { type Environment, localEnvironment, openidIssuer } from './environment.ts'
import { eventBusRoute } from './events/event-bus.ts'
import { startJobs } from './events/jobs.ts'
import { startFunctions } from './functions.ts'
import { startGateway } from './gateway/gateway.ts'
import { localKeys } from './keys.ts'
import { requireFree } from './local-server.ts'
import { startMailCatcher } from './mail-catcher.ts'
import { mailPreviewRoute } from './mail-preview/mail-preview.ts'
import { startOpenid } from './openid/openid-server.ts'
import type { Output } from './output.ts'
import { type Ports, portsFrom } from './ports.ts'
import { announceRunning, runningOn } from './running.ts'
import { startS3 } from './s3/s3-server.ts'
import { sandboxFor } from './sandbox/sandbox-server.ts'
import type { LocalSettings } from './settings.ts'
import { signInPageRoute } from './sign-in/sign-in-page.ts'

type Stack = {
  environment: Environment
  ports: Ports
  /** Resolves with a sentence when a part of the stack ends before it is stopped. */
  broken: Promise<string>
  /** Ends every part, in the reverse order of their start. */
  stop: () => Promise<void>
}

/**
 * Starts every part on its port. Resolves when `GET /health` answers 200 through the front gateway. When a part does
 * not start, ends the started ones and throws the reason. `caller` holds the variables of the process that starts it.
 */
export async function startStack(
  settings: LocalSettings,
  caller: NodeJS.ProcessEnv,
  output: Output,
  runFunctions: typeof startFunctions = startFunctions,
): Promise<Stack> {
  const { port, directory } = settings
  const ports = portsFrom(port)
  const other = await runningOn(directory)
  if (other !== undefined)
    throw new Error(`A stack runs on ${directory} already, at http://localhost:${other}.`)
  await requireFree(Object.values(ports))

  const keys = await localKeys(directory)
  const environment = localEnvironment(ports, keys, caller)
  const parts: { stop: () => Promise<void> }[] = []
  const ends: Promise<string>[] = []
  const stop = async () => {
    for (const part of parts.splice(0).reverse()) await part.stop().catch(console.error)
  }
  const started =
    <Part extends { stop: () => Promise<void>; ended?: Promise<string> }>(name: string) =>
    (part: Part) => {
      parts.push(part)
      output.step(name)
      if (part.ended) ends.push(part.ended.then((reason) => `${name} ended. ${reason}`.trim()))
      return part
    }

  try {
    const [_database, s3, _openid, { functions }] = await all([
      startDatabase(ports.dynamodb, directory, environment, caller).then(started('The local DynamoDB')),
      startS3({
        directory: join(directory, 's3'),
        credentials: keys,
        buckets: {
          media: value(environment, 'MEDIA_BUCKET'),
          documents: value(environment, 'DOCUMENTS_BUCKET'),
        },
        ports,
      }).then(started('The local S3')),
      startOpenid({
        port: ports.openid,
        issuer: openidIssuer(ports),
        publicUrl: value(environment, 'PUBLIC_URL'),
        keys,
      }).then(started('The OpenID provider')),
      runFunctions({ ports, environment, onLog: output.functionLine }).then(started('The functions')),
    ])
    const mail = await startMailCatcher({
      port: ports.mail,
      directory,
      report: (line) => output.note('mail', line),
    })
    parts.push(mail)
    output.step('The mail catcher')
    const running = await announceRunning(directory, port)
    parts.push(running)
    const sandbox = sandboxFor(environment, directory)
    parts.push(sandbox)
    const events = eventBusRoute((line) => output.note('event', line))
    const accounts = accountRoutes(value(environment, 'PUBLIC_URL'), () =>
      consoleToken(settings, { sub: 'docs' }),
    )
    const pages = [mailPreviewRoute, signInPageRoute]
    const routes = [running.route, ...mail.routes, ...pages, events, ...accounts, ...sandbox.routes]
    parts.push(await startGateway({ port, functionsPort: ports.functions, routes }))
    const report = (line: string) => output.note('job', line)
    const jobs = await startJobs({ functions, lambdaPort: ports.lambda, directory, environment, s3, report })
    parts.push(jobs)
    output.step('Queues and schedules')
    // The gateway reads this array at each request.
    routes.push(...jobs.routes)
    const failed = Promise.race(ends).then((reason) => Promise.reject(new Error(reason)))
    await Promise.race([healthy(port), failed])
    output.step('The gateway')
  } catch (error) {
    await stop()
    throw error
  }
  return { environment, ports, broken: Promise.race(ends), stop }
}

/** Waits as `Promise.all` does, but fails only once all have settled, so that every started part can be ended. */
async function all<T extends readonly unknown[]>(
  promises: { [Key in keyof T]: Promise<T[Key]> },
): Promise<T> {
  await Promise.allSettled(promises)
  return Promise.all(promises) as Promise<unknown> as Promise<T>
}

/** Starts the local DynamoDB, unless the caller's variables name another one, and creates the table. */
async function startDatabase(
  port: number,
  directory: string,
  environment: Environment,
  caller: NodeJS.ProcessEnv,
) {
  const dynamo = caller['AWS_ENDPOINT_URL_DYNAMODB']
    ? { stop: async () => {} }
    : await startDynamo({ port, file: join(directory, 'dynamodb.sqlite') })
  const client = localDynamoClient(value(environment, 'AWS_ENDPOINT_URL_DYNAMODB'))
  await createTable(client, value(environment, 'TABLE_NAME'), { withStream: true }).catch(async (error) => {
    await dynamo.stop()
    throw error
  })
  return dynamo
}

async function healthy(port: number): Promise<void> {
  const deadline = AbortSignal.timeout(30_000)
  while (!(await fetch(`http://localhost:${port}/health`, { signal: deadline })).ok) await wait(100)
}

const value = (environment: Environment, name: string): string => environment[name] ?? ''
