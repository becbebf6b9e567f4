import { type Route, splitRoute } from '#lib/http/route'

/** A request as a client would make it. */
export type Request = {
  method?: string
  path?: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  token?: string
  headers?: Readonly<Record<string, string>>
  /** Sent as JSON; a form is sent as `multipart/form-data`. */
  body?: unknown
}

/** Makes the event in which API Gateway hands a request to a function: payload format 2.0. */
export async function httpEvent(route: Route, request: Request) {
  const { method, path } = splitRoute(route)
  const rawPath = (request.path ?? path).replace(/\{(\w+)\}/g, (_, name) => request.params?.[name] ?? '')
  const query = new URLSearchParams(request.query)
  const encoded = await encodeBody(request.body)
  const http = {
    method: request.method ?? method,
    path: rawPath,
    protocol: 'HTTP/1.1',
    sourceIp: '203.0.113.7',
    userAgent: 'rehearsal',
  }
  return {
    version: '2.0',
    routeKey: route,
    rawPath,
    rawQueryString: query.toString(),
    headers: {
      ...(encoded && { 'content-type': encoded.contentType }),
      ...(request.token !== undefined && { authorization: `Bearer ${request.token}` }),
      ...request.headers,
    },
    ...(query.size > 0 && { queryStringParameters: Object.fromEntries(query) }),
    ...(request.params && { pathParameters: request.params }),
    requestContext: { http, requestId: 'rehearsal', timeEpoch: Date.now() },
    ...(encoded && { body: encoded.body }),
    isBase64Encoded: encoded?.isBase64Encoded ?? false,
  }
}

async function encodeBody(body: unknown) {
  if (body === undefined) return undefined
  if (!(body instanceof FormData)) {
    return { contentType: 'application/json', body: JSON.stringify(body), isBase64Encoded: false }
  }
  const response = new Response(body)
  return {
    contentType: response.headers.get('content-type') ?? '',
    body: Buffer.from(await response.arrayBuffer()).toString('base64'),
    isBase64Encoded: true,
  }
}
