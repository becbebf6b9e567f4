import { readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runningOn } from '../running.ts'
import { readSettings } from '../settings.ts'

// `npm run reset`: forgets everything the local stack keeps. Not while it runs.

/** By name, because LOCAL_DIR may be set to a directory that holds other things too. */
const STACK_FILES =
  /^(keys\.json|stack\.json|jobs\.json|demo-data|sandbox|(dynamodb|queues|mail)\.sqlite(-\w+)?|s3)$/

const { directory } = readSettings(process.env)
const port = await runningOn(directory)
if (port === undefined) {
  const names = await readdir(directory).catch(() => [])
  for (const name of names.filter((each) => STACK_FILES.test(each))) {
    await rm(join(directory, name), { recursive: true })
  }
  await rmdir(directory).catch(() => undefined)
} else {
  console.error(`A stack runs on ${directory}, at http://localhost:${port}: stop it first.`)
  process.exitCode = 1
}
