import type { Resource, Template } from '../../package/template/template.ts'

/** By operator and key, as in `{ StringEquals: { 'aws:SourceAccount': … } }`. */
type Condition = Readonly<Record<string, Readonly<Record<string, unknown>>>>
type TrustStatement = {
  Effect: string
  Principal?: { Service?: string | string[] }
  Action: string | string[]
  Condition?: Condition
}

/**
 * Keys of the request context that each service sends when it assumes a role. API Gateway sends none for the role of an
 * integration, as seen on a live stack in July 2026.
 */
const CONTEXT: Readonly<Record<string, readonly string[]>> = {
  'apigateway.amazonaws.com': [],
  'lambda.amazonaws.com': [],
  'scheduler.amazonaws.com': ['aws:SourceAccount', 'aws:SourceArn'],
}

/**
 * Whether a service may assume a role, by the role's trust policy. A condition holds if the service sends its keys: values
 * are not compared.
 */
export function mayAssume({ Properties }: Resource, service: string): boolean {
  const { Statement } = Properties['AssumeRolePolicyDocument'] as { Statement: TrustStatement[] }
  const sent = CONTEXT[service] ?? []
  return Statement.some(
    ({ Effect, Principal, Action, Condition = {} }) =>
      Effect === 'Allow' &&
      [Action].flat().includes('sts:AssumeRole') &&
      [Principal?.Service ?? []].flat().includes(service) &&
      Object.values(Condition)
        .flatMap(Object.keys)
        .every((key) => sent.includes(key)),
  )
}

/** The answers that the smoke test of a release expects. */
const HEALTHY: Readonly<Record<string, readonly [status: number, body: string]>> = {
  '/health': [200, '{"status":"ok"}'],
  '/auth/profile': [401, '{"code":"unauthenticated"}'],
  '/listings': [200, '{"items":[]}'],
  '/console': [200, '<!doctype html>'],
}

/** Answers a request as a deployed gateway would: 500 where it may not assume the role of the route's integration. */
export function gatewayAnswer(template: Template | undefined, path: string): readonly [number, string] {
  const { Body } = (template?.Resources['HttpApi']?.Properties ?? {}) as { Body?: { paths: object } }
  if (!template || !Body || !(path in Body.paths)) return [404, '{"message":"Not Found"}']
  const operation = JSON.stringify((Body.paths as Record<string, unknown>)[path])
  const [, role = ''] = /"credentials":\{"Fn::GetAtt":\["(\w+)"/.exec(operation) ?? []
  const resource = template.Resources[role]
  if (!resource || !mayAssume(resource, 'apigateway.amazonaws.com'))
    return [500, '{"message":"Internal Server Error"}']
  return HEALTHY[path] ?? [404, '{"message":"Not Found"}']
}
