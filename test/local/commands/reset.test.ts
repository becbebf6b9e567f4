import { execFile } from 'node:child_process'
import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openQueues } from '#lib/local/events/queue-store'
import { localKeys } from '#lib/local/keys'
import { startMailCatcher } from '#lib/local/mail-catcher'

const COMMAND = join(import.meta.dirname, '../../../lib/local/commands/reset.ts')

it('A reset clears keys, queues and mail, and leaves what the stack did not make.', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'reset-'))
  await localKeys(directory)
  openQueues(directory).close()
  const mail = await startMailCatcher({ port: 0, directory, report: () => {} })
  await mail.stop()
  await writeFile(join(directory, 'notes.txt'), 'mine')

  await promisify(execFile)(process.execPath, [COMMAND], { env: { ...process.env, LOCAL_DIR: directory } })

  expect(await readdir(directory)).toEqual(['notes.txt'])
})
