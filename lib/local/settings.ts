import { resolve } from 'node:path'
import * as z from 'zod'

const Settings = z.object({
  PORT: z.coerce.number().int().min(1).max(65_535).default(3000),
  LOCAL_DIR: z.string().min(1).default('.local'),
  DEMO_DATA: z.enum(['on', 'off']).default('on'),
})

/** What a developer may choose about a local stack. */
export type LocalSettings = { port: number; directory: string; demoData: boolean }

/** Reads the settings from an environment. Throws an error that names the wrong ones. */
export const readSettings = (environment: NodeJS.ProcessEnv): LocalSettings => {
  const parsed = Settings.safeParse(environment)
  if (!parsed.success) {
    const names = parsed.error.issues.map((issue) => issue.path.join('.'))
    throw new Error(`${names.join(' and ')} is not valid.`)
  }
  const { PORT, LOCAL_DIR, DEMO_DATA } = parsed.data
  return { port: PORT, directory: resolve(LOCAL_DIR), demoData: DEMO_DATA === 'on' }
}
