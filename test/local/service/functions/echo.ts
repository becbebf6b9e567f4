import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'

/** Answers what it was given. */
export const handler = async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
  if (event.rawPath === '/throws') throw new Error('a secret of the inside')
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json', etag: '"7"' },
    body: JSON.stringify({ event, table: process.env['TABLE_NAME'] }),
  }
}
