import { createHash, createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'

const SERVICE = 'dynamodb'
const agent = new Agent({ keepAlive: true })

/** Reads an item with a request that is signed by hand (Signature Version 4): no retries, no time-outs, no errors by name. */
export async function read(TableName: string, id: string): Promise<unknown> {
  const Key = { pk: { S: id }, sk: { S: id } }
  const { Item } = await send('GetItem', { TableName, Key, ConsistentRead: true })
  return Item
}

async function send(operation: string, input: object): Promise<{ Item?: unknown }> {
  const { AWS_REGION: region = '', AWS_ENDPOINT_URL_DYNAMODB: endpoint = '' } = process.env
  const { host, hostname, port } = new URL(endpoint)
  const body = JSON.stringify(input)
  const at = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    host,
    'x-amz-date': at,
    'x-amz-target': `DynamoDB_20120810.${operation}`,
  }
  const authorization = sign(headers, { at, body, region })
  const outgoing = request({ method: 'POST', hostname, port, agent, headers: { ...headers, authorization } })
  outgoing.end(body)
  const text = await new Promise<string>((resolve, reject) => {
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      response.toArray().then((chunks) => resolve(Buffer.concat(chunks).toString()), reject)
    })
  })
  return JSON.parse(text)
}

type Signed = { at: string; body: string; region: string }

function sign(headers: Record<string, string>, { at, body, region }: Signed): string {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret = '' } = process.env
  const day = at.slice(0, 8)
  const scope = `${day}/${region}/${SERVICE}/aws4_request`
  const names = Object.keys(headers).join(';')
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`)
  const canonical = ['POST', '/', '', lines.join(''), names, sha256(body)].join('\n')
  const text = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n')
  const key = [day, region, SERVICE, 'aws4_request'].reduce<string | Buffer>(mac, `AWS4${secret}`)
  const signature = mac(key, text).toString('hex')
  return `AWS4-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=${names}, Signature=${signature}`
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const mac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
