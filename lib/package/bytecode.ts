import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type DeployedFunction, environmentFor } from './functions.ts'
import { httpEvent } from './rehearsal/http-event.ts'
import { rehearse } from './rehearsal/rehearse.ts'
import { startRehearsalStack } from './rehearsal/stack.ts'
import { bodyOf } from './rehearsal/stage.ts'

const RUN_ONCE = join(import.meta.dirname, 'run-once.ts')

/** Which runtime bytecode is for: V8 refuses that of another version, and machines differ in kind. */
export const BYTECODE_RUNTIME = `${process.version}-${process.arch}`

/** A function's bytecode beside its bundle. */
export const bytecodeOf = (bundle: string): string =>
  bundle.replace(/\.cjs$/, `.${BYTECODE_RUNTIME}.bytecode`)

/**
 * Runs each function once against a local DynamoDB and S3, in a process of its own, and stores the bytecode that V8
 * made beside the bundle. A request that fails ends the rehearsal only, and `failure` names it. Returns the functions
 * that have bytecode.
 */
export async function makeBytecode(
  functions: readonly DeployedFunction[],
  bundleOf: (deployed: DeployedFunction) => string,
): Promise<{ made: Set<string>; failure: unknown }> {
  const made = new Set<string>()
  const stack = await startRehearsalStack()
  const perform = async (deployed: DeployedFunction | undefined, event: unknown): Promise<unknown> => {
    if (!deployed) throw new Error('There is no such function')
    const bundle = bundleOf(deployed)
    const environment = { ...environmentFor(deployed, stack.environment), LOG_LEVEL: 'silent' }
    const result = await runOnce([bundle, bytecodeOf(bundle)], environment, event)
    made.add(deployed.name)
    return result
  }
  let failure: unknown
  try {
    await rehearse({
      ...stack,
      functions,
      ask: async (route, request = {}) => {
        const deployed = functions.find(({ routes }) => routes.includes(route))
        return bodyOf(route, request, await perform(deployed, await httpEvent(route, request)))
      },
      run: (job, event) =>
        perform(
          functions.find(({ name }) => name === job),
          event,
        ),
    })
  } catch (error) {
    failure = error
  } finally {
    await stack.stop()
  }
  return { made, failure }
}

async function runOnce(
  args: string[],
  environment: Record<string, string>,
  event: unknown,
): Promise<unknown> {
  const child = fork(RUN_ONCE, args, { env: { ...environment, AWS_LAMBDA_FUNCTION_NAME: 'rehearsal' } })
  const ended = once(child, 'exit')
  const message = async () => {
    const [said] = await Promise.race([once(child, 'message'), ended.then(() => [undefined])])
    if (said === undefined || typeof said === 'number')
      throw new Error('The function ended before it answered')
    return said
  }
  await message()
  child.send({ event })
  const { result } = await message()
  await ended
  return result
}
