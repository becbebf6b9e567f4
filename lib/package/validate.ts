import { join } from 'node:path'
import { checkTemplate } from './check-template.ts'
import { ROLE_STACK } from './template/role-stack.ts'

// `npm run validate`: checks the packaged templates, and those deployed by themselves, with AWS's offline validator.

const ROOT = join(import.meta.dirname, '../..')
const TEMPLATES = [
  '.serverless/cloudformation-template-update-stack.json',
  `.serverless/${ROLE_STACK}.json`,
  'lib/deploy/waf.yml',
  'lib/deploy/deployer.yml',
  'lib/deploy/front-logs.yml',
]

for (const template of TEMPLATES) {
  const { bytes, findings } = await checkTemplate(join(ROOT, template))
  for (const finding of findings) console.error(finding)
  console.log(`${template}: ${Math.round(bytes / 1000)} kB, ${findings.length} findings`)
  if (findings.length > 0) process.exitCode = 1
}
