import { join } from 'node:path'
import { validate } from './validation.ts'

// `npm run validate`: holds the packaged template, and that of the web ACL, to AWS's own offline validator.

const ROOT = join(import.meta.dirname, '../..')
const TEMPLATES = ['.serverless/cloudformation-template-update-stack.json', 'lib/deploy/waf.yml']

for (const template of TEMPLATES) {
  const { bytes, findings } = await validate(join(ROOT, template))
  for (const finding of findings) console.error(finding)
  console.log(`${template}: ${Math.round(bytes / 1000)} kB, ${findings.length} findings`)
  if (findings.length > 0) process.exitCode = 1
}
