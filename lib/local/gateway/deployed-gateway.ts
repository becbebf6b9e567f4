import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'

export type GatewayServer = {
  listener: { keepAliveTimeout: number }
  settings: { compression: boolean; router: { stripTrailingSlash: boolean } }
  ext: (event: string, method: (request: Request, toolkit: { continue: symbol }) => symbol) => void
}
type Response = { source?: unknown; code?: (status: number) => void }
type Request = {
  app: { contentType?: string | undefined }
  headers: IncomingHttpHeaders
  info: { acceptEncoding: string; host: string }
  method: string
  mime: string | null
  payload: unknown
  response: Response
  raw: { req: { url: string; rawHeaders: string[] } }
  setMethod: (method: string) => void
  setUrl: (url: string) => void
}

/**
 * Makes serverless-offline's HTTP server (hapi) hand requests to functions as API Gateway does: bodies byte for byte,
 * paths unchanged, HEAD and preflights to `$default`, answers unchanged.
 */
export function behaveAsDeployed(server: GatewayServer): void {
  // The gateway before this server keeps its connections. A request that arrives as one closes would be lost: 0 closes none.
  server.listener.keepAliveTimeout = 0
  server.settings.router.stripTrailingSlash = false
  // A function compresses its answers. hapi would also add to `Vary`.
  server.settings.compression = false
  server.ext('onRequest', (request, toolkit) => {
    hideFromHapi(request)
    return toolkit.continue
  })
  server.ext('onPreAuth', (request, toolkit) => {
    // The route is chosen: the function receives the method as it was sent.
    if (request.method === UNROUTED_HEAD) request.method = 'head'
    return toolkit.continue
  })
  server.ext('onPreHandler', (request, toolkit) => {
    chooseEncoding(request)
    return toolkit.continue
  })
  server.ext('onPreResponse', ({ response }, toolkit) => {
    hideFailure(response)
    return toolkit.continue
  })
}

const UNROUTED_HEAD = 'x-head'

/** Headers that hapi would act upon. The functions must see these headers, and answer them. */
const NOT_FOR_HAPI = ['origin', 'if-none-match', 'if-modified-since', 'range', 'if-range']

function hideFromHapi(request: Request): void {
  const { headers, raw } = request
  request.app.contentType = headers['content-type']
  // Functions get their headers from `rawHeaders`. A body without a type gets a binary one: serverless-offline would take
  // it for JSON.
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
  const received = { ...(hasBody && { 'content-type': BINARY }), ...headers }
  raw.req.rawHeaders = Object.entries(received).flatMap(([name, value]) => [name, `${value}`])
  // hapi answers 415 to a type that it cannot read.
  headers['content-type'] = BINARY
  for (const name of NOT_FOR_HAPI) delete headers[name]
  request.info.acceptEncoding = 'identity'
  // hapi parses the address with this host, and would refuse a malformed `Host` itself.
  request.info.host = 'localhost'

  const [path = '', ...query] = raw.req.url.split('?')
  // hapi would refuse a malformed escape such as `%zz`.
  if (!isDecodable(path)) request.setUrl([path.replaceAll('%', '%25'), ...query].join('?'))
  // hapi answers HEAD by GET; API Gateway looks for a route of its own and finds $default.
  if (request.method === 'head') request.setMethod(UNROUTED_HEAD)
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

const BINARY = 'application/octet-stream'
const TEXT = /^(text\/|application\/(json|javascript|xml|[\w.-]+\+(json|xml))\s*(;|$))/i

/** Sets the type by which serverless-offline chooses base64. API Gateway chooses base64 for every type that is not text. */
function chooseEncoding(request: Request): void {
  const isText =
    TEXT.test(request.app.contentType ?? '') && Buffer.isBuffer(request.payload) && isUtf8(request.payload)
  request.headers['content-type'] = isText ? 'text/plain' : BINARY
  // Otherwise serverless-offline parses a JSON body, and a function receives `false` or `0` as a value, not as text.
  request.mime = BINARY
}

/** Answers as API Gateway where a function threw: 500 without the stack. serverless-offline answers 200 with it. */
function hideFailure(response: Response): void {
  if (typeof response.source !== 'string' || !/^\{"errorMessage":.*"stackTrace":\[/s.test(response.source))
    return
  response.source = JSON.stringify({ message: 'Internal Server Error' })
  response.code?.(500)
}
