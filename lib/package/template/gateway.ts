import { type Resource, removeResources, resourcesOf, type Template } from './template.ts'

const API = 'HttpApi'
const ROLE = 'GatewayRole'

type Attribute = { 'Fn::GetAtt': [string, 'Arn'] }
type Joined = { 'Fn::Join': [string, [string, { Ref: string }]] }

/**
 * Describes the gateway's routes in one document, as AWS SAM does, in place of a route, an integration and a
 * permission for each endpoint. A stack holds at most 500 resources, and endpoints with four each do not fit.
 * The gateway invokes every function of this stage through one role. The document names functions instead of
 * referring to them, because they refer to the gateway for their public address.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-open-api.html
 */
export function describeGateway(template: Template, functionNamePattern: string): void {
  const routes = resourcesOf(template, 'AWS::ApiGatewayV2::Route')
  const integrations = resourcesOf(template, 'AWS::ApiGatewayV2::Integration')
  const api = template.Resources[API]
  if (!api) throw new Error(`The template has no ${API}`)
  const names = new Map(
    integrations.map(([id, { Properties }]) => {
      const [functionId] = (Properties['IntegrationUri'] as Attribute)['Fn::GetAtt']
      return [id, `${template.Resources[functionId]?.Properties['FunctionName']}`]
    }),
  )
  api.Properties = {
    Body: {
      openapi: '3.0.1',
      info: { title: api.Properties['Name'], version: '1' },
      paths: pathsOf(
        routes.map(([, route]) => [keyOf(route), integration(names.get(targetOf(route)) ?? '')]),
      ),
    },
  }
  const permissions = resourcesOf(template, 'AWS::Lambda::Permission').filter(
    ([, { Properties }]) => Properties['Principal'] === 'apigateway.amazonaws.com',
  )
  removeResources(
    template,
    [...routes, ...integrations, ...permissions].map(([id]) => id),
  )
  template.Resources[ROLE] = invokingRole(functionNamePattern)
}

const keyOf = ({ Properties }: Resource): string => `${Properties['RouteKey']}`

/** Returns the id of the integration that a route leads to. osls, which packages the service, writes `integrations/<id>`. */
function targetOf({ Properties }: Resource): string {
  const [, [, integrationReference]] = (Properties['Target'] as Joined)['Fn::Join']
  return integrationReference.Ref
}

function pathsOf(routes: readonly (readonly [string, unknown])[]): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [key, target] of routes) {
    const operation = { 'x-amazon-apigateway-integration': target, responses: ANY_ANSWER }
    if (key === '$default') {
      paths['/$default'] = { 'x-amazon-apigateway-any-method': { ...operation, isDefaultRoute: true } }
      continue
    }
    const [method = '', path = ''] = key.split(' ')
    paths[path] ??= {}
    paths[path][method.toLowerCase()] = operation
  }
  return paths
}

const ANY_ANSWER = { default: { description: 'What the function answers' } }

const integration = (functionName: string) => ({
  type: 'aws_proxy',
  // Lambda is invoked by a POST, whatever the method of the request.
  httpMethod: 'POST',
  payloadFormatVersion: '2.0',
  timeoutInMillis: 30_000,
  uri: {
    'Fn::Sub': `arn:\${AWS::Partition}:apigateway:\${AWS::Region}:lambda:path/2015-03-31/functions/${functionArn(functionName)}/invocations`,
  },
  credentials: { 'Fn::GetAtt': [ROLE, 'Arn'] },
})

const functionArn = (name: string): string =>
  `arn:\${AWS::Partition}:lambda:\${AWS::Region}:\${AWS::AccountId}:function:${name}`

const invokingRole = (functionNamePattern: string): Resource => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [
        // Without a condition: API Gateway sends no `aws:SourceAccount` for the credentials of an integration.
        { Effect: 'Allow', Principal: { Service: 'apigateway.amazonaws.com' }, Action: 'sts:AssumeRole' },
      ],
    },
    Policies: [
      {
        PolicyName: 'invoke',
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            {
              Effect: 'Allow',
              Action: 'lambda:InvokeFunction',
              Resource: { 'Fn::Sub': functionArn(functionNamePattern) },
            },
          ],
        },
      },
    ],
  },
})
