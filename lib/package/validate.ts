import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RegoEngine, type StandardDiagnostic, TemplateFile } from '@aws/cloudformation-validate'

// `npm run validate`: holds the packaged template to AWS's own offline validator and to CloudFormation's limits.

const TEMPLATE = join(import.meta.dirname, '../../.serverless/cloudformation-template-update-stack.json')

/** Findings that are meant, by rule and resource, each with the reason. */
const EXPLAINED: readonly { rule: string; resource: RegExp; because: string }[] = []

/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
const MOST_BYTES = 1_000_000
/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references.html */
const MOST_DYNAMIC_REFERENCES = 60

const engine = new RegoEngine()
const { status, diagnostics } = engine.validateStandard(new TemplateFile(TEMPLATE))
engine.free()

const isExplained = ({ ruleId, entity }: StandardDiagnostic): boolean =>
  EXPLAINED.some(({ rule, resource }) => rule === ruleId && resource.test(entity?.logicalId ?? ''))
const findings = diagnostics
  .filter(({ severity }) => ['FATAL', 'ERROR', 'WARN'].includes(severity))
  .filter((diagnostic) => !isExplained(diagnostic))
  .map(({ severity, ruleId, message, entity }) => `${severity} ${ruleId} ${entity?.logicalId}: ${message}`)
if (status !== 'OK') findings.push(`The validator did not finish: ${status}`)

// As it is uploaded: osls writes the file with indentation, and sends it without.
const text = JSON.stringify(JSON.parse(await readFile(TEMPLATE, 'utf8')))
const references = text.match(/\{\{resolve:/g)?.length ?? 0
if (Buffer.byteLength(text) > MOST_BYTES) findings.push(`The template is larger than ${MOST_BYTES} bytes`)
if (references > MOST_DYNAMIC_REFERENCES) findings.push(`The template has ${references} dynamic references`)

for (const finding of findings) console.error(finding)
console.log(`${Math.round(Buffer.byteLength(text) / 1000)} kB of template, ${findings.length} findings`)
process.exitCode = findings.length > 0 ? 1 : 0
