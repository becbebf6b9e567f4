import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'

// What the cold starts are compared with: a handler by hand. The AWS SDK, Node's own cryptography and checks
// written out; no framework, no schema, no log but one line. It decides a user's identity in one UpdateItem.

const { AUTH_ISSUER = '', AUTH_JWKS = '{"keys":[]}', TABLE_NAME = '' } = process.env
const client = new DynamoDBClient({})
const keys: JsonWebKey[] = JSON.parse(AUTH_JWKS).keys
const publicKeys = keys.map((key) => createPublicKey({ key, format: 'jwk' }))

const answer = (statusCode: number, body: object) => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

function isSignedIn(authorization = ''): boolean {
  const [head, payload, signature] = authorization.replace(/^Bearer /, '').split('.')
  if (!head || !payload || !signature) return false
  const signed = Buffer.from(`${head}.${payload}`)
  if (!publicKeys.some((key) => verify(null, signed, key, Buffer.from(signature, 'base64url')))) return false
  const { iss, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return iss === AUTH_ISSUER && exp * 1000 > Date.now()
}

/** `PATCH /auth/kyc`, as short as it goes. */
export const handler = async (event: APIGatewayProxyEventV2) => {
  if (!isSignedIn(event.headers['authorization'])) return answer(401, { code: 'unauthenticated' })
  const { userId, kycStatus } = JSON.parse(event.body ?? '{}')
  if (typeof userId !== 'string' || !['VERIFIED', 'REJECTED'].includes(kycStatus)) {
    return answer(400, { code: 'validation_failed' })
  }
  const updatedAt = new Date().toISOString()
  await client.send(
    new UpdateItemCommand({
      TableName: TABLE_NAME,
      Key: { pk: { S: `BARE#${userId}` }, sk: { S: 'BARE' } },
      UpdateExpression: 'SET kycStatus = :status, updatedAt = :at',
      ConditionExpression: 'attribute_not_exists(pk) OR kycStatus <> :expired',
      ExpressionAttributeValues: {
        ':status': { S: kycStatus },
        ':at': { S: updatedAt },
        ':expired': { S: 'EXPIRED' },
      },
    }),
  )
  console.log(JSON.stringify({ level: 'info', message: 'PATCH /auth/kyc 200' }))
  return answer(200, { userId, kycStatus, updatedAt })
}
