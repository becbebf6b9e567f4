import { resolve } from 'node:path'
import * as z from 'zod'

const Settings = z.object({
  PORT: z.coerce.number().int().min(1).max(65_535).default(3000),
  LOCAL_DIR: z.string().min(1).default('.local'),
  DEMO_DATA: z.enum(['on', 'off']).default('on'),
  LOG_FORMAT: z.enum(['text', 'json']).default('text'),
})

export type LocalSettings = { port: number; directory: string; demoData: boolean; logFormat: 'text' | 'json' }

/** Reads the settings from an environment. Throws an error that names the wrong ones. */
export const readSettings = (environment: NodeJS.ProcessEnv): LocalSettings => {
  // A variable that is set to nothing counts as not set.
  const given = Object.entries(environment).filter(([, value]) => value !== '')
  const parsed = Settings.safeParse(Object.fromEntries(given))
  if (!parsed.success) {
    const names = parsed.error.issues.map((issue) => issue.path.join('.'))
    throw new Error(`${names.join(' and ')} is not valid.`)
  }
  const { PORT, LOCAL_DIR, DEMO_DATA, LOG_FORMAT } = parsed.data
  return {
    port: PORT,
    directory: resolve(LOCAL_DIR),
    demoData: DEMO_DATA === 'on',
    logFormat: LOG_FORMAT,
  }
}
