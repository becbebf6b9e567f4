import { readFile } from 'node:fs/promises'
import { RegoEngine, type StandardDiagnostic, TemplateFile } from '@aws/cloudformation-validate'

/** The rules against an ARN written out (W9002) and an account's id in an ARN (W9013). */
const ARN_RULES = ['W9002', 'W9013']
/** The one resource that may break these rules: it names the stream of a restored table by its ARN. */
const STREAM_MAPPING = 'DispatchChangesEventSourceMappingDynamodbTable'

/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
const MOST_BYTES = 1_000_000
/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references.html */
const MOST_DYNAMIC_REFERENCES = 60

/** A template's bytes as they are uploaded, and what was found in it, in sentences. */
type Validated = { bytes: number; findings: string[] }

/** Checks a template, in JSON or in YAML, with AWS's own offline validator and against CloudFormation's limits. */
export async function checkTemplate(path: string): Promise<Validated> {
  const engine = new RegoEngine()
  const { status, diagnostics } = engine.validateStandard(new TemplateFile(path))
  engine.free()
  const findings = diagnostics
    .filter(({ severity }) => ['FATAL', 'ERROR', 'WARN'].includes(severity))
    .filter((diagnostic) => !isAccepted(diagnostic))
    .map(({ severity, ruleId, message, entity }) => `${severity} ${ruleId} ${entity?.logicalId}: ${message}`)
  if (status !== 'OK') findings.push(`The validator did not finish: ${status}`)
  const text = uploaded(path, await readFile(path, 'utf8'))
  const bytes = Buffer.byteLength(text)
  const references = text.match(/\{\{resolve:/g)?.length ?? 0
  if (bytes > MOST_BYTES) findings.push(`The template is larger than ${MOST_BYTES} bytes`)
  if (references > MOST_DYNAMIC_REFERENCES) findings.push(`The template has ${references} dynamic references`)
  return { bytes, findings }
}

/** Returns a template as osls uploads it: without the indentation of the file. */
const uploaded = (path: string, text: string): string =>
  path.endsWith('.json') ? JSON.stringify(JSON.parse(text)) : text

const isAccepted = ({ ruleId, entity }: StandardDiagnostic): boolean =>
  ARN_RULES.includes(ruleId) && entity?.logicalId === STREAM_MAPPING
