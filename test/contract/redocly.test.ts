import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { openApiDocument } from '#functions/service/specs.derived'

it('keeps every rule that Redocly recommends, but for the path of callbacks, which providers were given', async () => {
  const problems = await lintFromString({
    source: JSON.stringify(await openApiDocument()),
    absoluteRef: '/openapi.json',
    config: await createConfig({ extends: ['recommended'] }),
  })
  const found = problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`,
  )
  const known = (text: string) => /^no-ambiguous-paths: .*`\/payments\/callback\/\{provider\}`/.test(text)
  expect(found.filter((text) => !known(text))).toEqual([])
})
