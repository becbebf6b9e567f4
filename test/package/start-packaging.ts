import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { packageCopy } from './packaged.ts'

/** Answers test files with the folder of one packaged copy of the service, which is made when the first of them asks. */
export async function startPackaging(): Promise<{ url: string; stop: () => Promise<void> }> {
  let packaging: Promise<{ copy: string } | { failure: string }> | undefined
  const server = createServer(async (_, response) => {
    packaging ??= packageCopy().then(
      (copy) => ({ copy }),
      (error) => ({ failure: `${error}` }),
    )
    response.end(JSON.stringify(await packaging))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      const made = await packaging
      if (made && 'copy' in made) await rm(made.copy, { recursive: true, force: true })
    },
  }
}
