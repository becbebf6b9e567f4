import * as z from 'zod'

type Answer = { status: number; body: unknown }
type Operation = (input: unknown) => Answer

const NamedParameter = z.object({
  Name: z.string(),
  Value: z.string().optional(),
  Type: z.string().optional(),
  Overwrite: z.boolean().optional(),
})
const NamedSecret = z.object({ SecretId: z.string().optional(), Name: z.string().optional() })

const found = (body: unknown): Answer => ({ status: 200, body })
const refused = (type: string): Answer => ({ status: 400, body: { __type: type, message: type } })

/** Makes a stand-in of SSM Parameter Store and Secrets Manager for one account, in memory. */
export function accountStandIn() {
  const parameters = new Map<string, { Value: string; Type: string }>()
  const secrets = new Set<string>()
  const operations: Record<string, Operation> = {
    'AmazonSSM.GetParameter': (input) => {
      const { Name } = NamedParameter.parse(input)
      const parameter = parameters.get(Name)
      return parameter ? found({ Parameter: { Name, ...parameter } }) : refused('ParameterNotFound')
    },
    'AmazonSSM.PutParameter': (input) => {
      const { Name, Value = '', Type = 'String', Overwrite } = NamedParameter.parse(input)
      if (parameters.has(Name) && !Overwrite) return refused('ParameterAlreadyExists')
      parameters.set(Name, { Value, Type })
      return found({ Version: 1 })
    },
    'secretsmanager.DescribeSecret': (input) => {
      const { SecretId = '' } = NamedSecret.parse(input)
      return secrets.has(SecretId)
        ? found({ ARN: SecretId, Name: SecretId })
        : refused('ResourceNotFoundException')
    },
    'secretsmanager.CreateSecret': (input) => {
      const { Name = '' } = NamedSecret.parse(input)
      secrets.add(Name)
      return found({ ARN: Name, Name })
    },
  }
  return {
    operations,
    /** Whether a parameter of the type String is there: CloudFormation reads no other. */
    hasParameter: (name: string): boolean => parameters.get(name)?.Type === 'String',
  }
}
