import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import * as z from 'zod'

const Alarms = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z.object({
        Namespace: z.string().optional(),
        MetricName: z.string().optional(),
        Dimensions: z.array(z.object({ Name: z.string(), Value: z.string() })).default([]),
      }),
    }),
  ),
})

/** Reads the alarms of `lib/deploy/alarms.yml`, by their ids. Its intrinsic functions are read as plain values. */
export function describedAlarms() {
  const text = readFileSync(new URL('../../lib/deploy/alarms.yml', import.meta.url), 'utf8')
  const { Resources } = Alarms.parse(parse(text, { merge: true, logLevel: 'silent' }))
  return Object.entries(Resources).flatMap(([id, { Type, Properties }]) =>
    Type === 'AWS::CloudWatch::Alarm' ? [{ id: id.replace(/Alarm$/, ''), ...Properties }] : [],
  )
}
