import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'

/** The stage and region for which artefacts were packaged. */
const Packaged = z.object({ stage: z.string(), region: z.string() })
type Packaged = z.infer<typeof Packaged>

/** The options as typed. Those of osls (a fork of the Serverless Framework) have the stage `dev` where none was typed. */
export type DeployOptions = { stage?: string; region?: string; package?: string; param?: string[] }

const FILE = 'packaged-for.json'

/** Stores the stage and region next to the artefacts. */
export const noteStage = (folder: string, packaged: Packaged): Promise<void> =>
  writeFile(join(folder, FILE), JSON.stringify(packaged))

/**
 * Refuses to deploy artefacts to another stage or region than they were packaged for, and parameters that come too late
 * to have any effect. Without `--package` osls packages and deploys in one step, and the two cannot differ.
 */
export async function requireSameStage(root: string, options: DeployOptions): Promise<void> {
  if (options.package === undefined) {
    if (options.stage === undefined) throw new Error('Say which stage: --stage <name>')
    return
  }
  const text = await readFile(join(root, options.package, FILE), 'utf8').catch(() => undefined)
  if (text === undefined) throw new Error(`${options.package} holds nothing that npm run package made`)
  const { stage, region } = Packaged.parse(JSON.parse(text))
  const isSame = options.stage === stage && (options.region ?? region) === region
  if (!isSame) {
    const asked = `--stage ${options.stage ?? '(not said)'} --region ${options.region ?? region}`
    throw new Error(`Packaged for --stage ${stage} --region ${region}, not for ${asked}`)
  }
  if (options.param !== undefined) throw new Error('--param is for packaging: npm run release does both')
}
