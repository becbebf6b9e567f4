import { writeFile } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type FunctionsOptions, type LocalFunctions, startFunctions } from '#lib/local/functions'
import { freePorts } from '#lib/local/local-server'

/** One process that runs all functions, as far as its callers see. */
type Host = { name: string; http: number; lambda: number; functions: LocalFunctions }

/** Two processes that run the functions, of which one is never killed. */
type MortalFunctions = {
  start: (options: FunctionsOptions) => Promise<LocalFunctions>
  /** Kills the other, which a new one replaces. Does nothing while one is being replaced. */
  kill: () => void
  /** The process that is never killed. */
  elder: () => number
  /** Sets the clocks of all, each a little apart from the others. */
  setClock: (milliseconds: number, skew: () => number) => Promise<void>
  deaths: () => number
}

const ELDER = 'functions that live on'
const MORTAL = 'functions that are killed'
/** Required, not imported: with `--import` serverless-offline does not find its loader of TypeScript. */
const CLOCK = join(import.meta.dirname, 'clock.ts')
const POLL_MILLISECONDS = 50

/**
 * Runs the functions in two processes side by side. A connection goes to one that lives, and waits for one; what a
 * process was doing when it was killed is not done, and its callers' connections break off.
 */
export function mortalFunctions(directory: string): MortalFunctions {
  const hosts: Host[] = []
  const clockOf = (name: string) => join(directory, `${name}.clock`)
  let clock = 0
  let turn = 0
  let deaths = 0
  let isReplacing = false
  let isStopped = false

  const run = async (name: string, options: FunctionsOptions): Promise<Host> => {
    const [http, lambda] = await freePorts(2)
    await writeFile(clockOf(name), `${clock}`)
    const environment = {
      ...options.environment,
      CLOCK_FILE: clockOf(name),
      NODE_OPTIONS: `--require ${CLOCK}`,
    }
    const functions = await startFunctions({ ...options, environment, ports: { functions: http, lambda } })
    return { name, http, lambda, functions }
  }

  const replace = async (dead: Host, options: FunctionsOptions) => {
    hosts.splice(hosts.indexOf(dead), 1)
    const host = await run(dead.name, options)
    if (isStopped) return host.functions.stop()
    hosts.push(host)
    isReplacing = false
  }

  const living = async (): Promise<Host | undefined> => {
    for (;;) {
      turn += 1
      const host = hosts[turn % Math.max(1, hosts.length)]
      if (host || isStopped) return host
      await wait(POLL_MILLISECONDS)
    }
  }

  const front = (port: number, inner: 'http' | 'lambda'): Promise<Server> => {
    const server = createServer((socket) => {
      socket.pause()
      socket.on('error', () => socket.destroy())
      living().then((host) => (host ? pass(socket, host[inner]) : socket.destroy()))
    })
    return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)))
  }

  let given: FunctionsOptions | undefined
  return {
    start: async (options) => {
      given = options
      hosts.push(...(await Promise.all([ELDER, MORTAL].map((name) => run(name, options)))))
      const [first] = hosts
      if (!first) throw new Error('No functions were started')
      const fronts = [
        await front(options.ports.functions, 'http'),
        await front(options.ports.lambda, 'lambda'),
      ]
      return {
        ...first.functions,
        stop: async () => {
          isStopped = true
          for (const server of fronts) server.close()
          await Promise.all(hosts.map(({ functions }) => functions.stop()))
        },
      }
    },
    kill: () => {
      const victim = hosts.find(({ name }) => name === MORTAL)
      if (isReplacing || !victim || !given) return
      isReplacing = true
      deaths += 1
      process.kill(victim.functions.processId, 'SIGKILL')
      void replace(victim, given)
    },
    elder: () => hosts.find(({ name }) => name === ELDER)?.functions.processId ?? 0,
    setClock: async (milliseconds, skew) => {
      clock = milliseconds
      for (const { name } of hosts) await writeFile(clockOf(name), `${milliseconds + skew()}`)
    },
    deaths: () => deaths,
  }
}

function pass(socket: Socket, port: number): void {
  const { remoteAddress } = socket
  const inner = connect({
    host: '127.0.0.1',
    port,
    ...(remoteAddress?.startsWith('127.') && { localAddress: remoteAddress }),
  })
  inner.on('error', () => socket.destroy())
  inner.on('close', () => socket.destroy())
  socket.on('close', () => inner.destroy())
  inner.pipe(socket)
  socket.pipe(inner)
}
