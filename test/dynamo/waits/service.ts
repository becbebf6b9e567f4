import type { Visit } from './visit.ts'

/** Visits what the service says of itself. */
export async function visitService(visit: Visit): Promise<void> {
  await visit('GET /health')
  await visit('GET /openapi.json')
  await visit('GET /.well-known/jwks.json')
  await visit('GET /.well-known/security.txt')
  await visit('$default', { method: 'OPTIONS', path: '/listings' })
  for (const page of ['docs', 'console']) {
    const html: string = await visit(`GET /${page}`)
    const [, file = ''] = new RegExp(`/?${page}/([\\w.-]+)`).exec(html) ?? []
    await visit(`GET /${page}/{file}`, { params: { file } })
  }
}
