import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { spec as answerUnrouted } from '#functions/service/answer-unrouted'
import { type Route, routesOf, splitRoute } from '#lib/http/route'
import { routesOfSpec } from '#lib/http/spec'
import { call } from '#test/support/call'
import { httpSpecs } from '#test/support/function-modules'

let routes: Route[]

beforeAll(async () => {
  routes = (await httpSpecs()).flatMap(routesOfSpec).filter((route) => route !== '$default')
})

const methodsAt = (path: string) => routesOf(path, routes).map((route) => splitRoute(route).method)

describe('a route', () => {
  it('is found by its own path, whatever stands in its parameters', () => {
    const segment = fc.stringMatching(/^[\w.~%-]{1,40}$/)
    fc.assert(
      fc.property(fc.constantFrom(...routes), segment, (route, value) => {
        const path = splitRoute(route).path.replace(/\{\w+\}/g, () => value)
        expect(routesOf(path, routes)).toContain(route)
      }),
    )
  })

  it('is not found by a longer path, a shorter one or an empty parameter', () => {
    for (const route of routes) {
      const path = splitRoute(route).path.replace(/\{\w+\}/g, 'x')
      expect(routesOf(`${path}/nowhere`, routes), route).not.toContain(route)
      expect(routesOf(path.slice(0, path.lastIndexOf('/')), routes), route).not.toContain(route)
      expect(routesOf(`/v1${path}`, routes), route).toEqual([])
      if (route.includes('{')) {
        expect(routesOf(splitRoute(route).path.replace(/\{\w+\}/g, ''), routes), route).not.toContain(route)
      }
    }
  })

  it('means its dots literally', () => {
    expect(methodsAt('/.well-known/jwks.json')).toEqual(['GET'])
    expect(methodsAt('/xwell-known/jwksxjson')).toEqual([])
  })
})

const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
  call(answerUnrouted, { method, path, headers })

describe('404', () => {
  it.each([
    ['GET', '/nowhere'],
    ['GET', '/'],
    ['POST', ''],
    ['PATCH', '/auth'],
    ['GET', '/listings/lst_1/nothing'],
    ['GET', '//listings'],
    ['GET', '/listings/../auth/profile'],
    ['GET', '/health/'],
    ['DELETE', `/${'a/'.repeat(1_000)}`],
    ['GET', '/%00'],
    ['GET', '/constructor'],
    ['GET', '/__proto__'],
  ])('answers %s %s, which is no route', async (method, path) => {
    const { status, body, headers } = await ask(method, path)
    expect({ status, body }).toEqual({
      status: 404,
      body: {
        type: 'https://api.platform.test/docs#not_found',
        title: 'There is no such resource',
        status: 404,
        code: 'not_found',
        detail: 'There is no such route',
        requestId: headers['x-request-id'],
      },
    })
    expect(headers['content-type']).toBe('application/problem+json')
  })
})

describe('405', () => {
  it('answers every route with a method that it does not have, naming those that it has', async () => {
    for (const route of routes) {
      const path = splitRoute(route).path.replace(/\{\w+\}/g, 'x')
      const allowed = methodsAt(path)
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PURGE']) {
        if (allowed.includes(method)) continue
        const { status, body, headers } = await ask(method, path)
        expect({ status, body, allow: headers['allow'] }, `${method} ${path}`).toMatchObject({
          status: 405,
          body: { code: 'method_not_allowed', status: 405 },
          allow: [...new Set(allowed)].join(', '),
        })
      }
    }
  })
})

describe('OPTIONS', () => {
  it('answers 204 with what the path allows, and to a page of ours what a browser needs to hear', async () => {
    const { status, headers, text } = await ask('OPTIONS', '/auth/profile/agent', {
      origin: 'https://www.platform.test',
      'access-control-request-method': 'PUT',
    })
    expect({ status, text }).toEqual({ status: 204, text: '' })
    expect(headers).toMatchObject({
      allow: 'GET, PUT',
      'access-control-allow-origin': 'https://www.platform.test',
      'access-control-allow-methods': 'GET, PUT',
      'access-control-allow-headers': expect.stringMatching(
        /Authorization.*Idempotency-Key.*If-Match.*X-Requested-With, Cache-Control$/,
      ),
      'access-control-max-age': '600',
      vary: 'Origin',
    })
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  })

  it.each([
    ['https://evil.example'],
    ['https://www.platform.test.evil.example'],
    ['http://www.platform.test'],
    ['https://WWW.platform.test'],
    ['null'],
    [''],
  ])('says nothing to a page of %j', async (origin) => {
    const { status, headers } = await ask('OPTIONS', '/listings', { origin })
    expect(status).toBe(204)
    expect(headers['access-control-allow-origin']).toBeUndefined()
    expect(headers['vary']).toBe('Origin')
  })

  it('answers 204 for what is not there, too', async () => {
    expect(await ask('OPTIONS', '/nowhere')).toMatchObject({ status: 204 })
  })
})

describe('every answer', () => {
  it('carries the common headers, whatever went wrong', async () => {
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['DELETE', '/health'],
      ['OPTIONS', '/health'],
    ] as const) {
      expect((await ask(method, path)).headers).toMatchObject({
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'api-version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
        'strict-transport-security': 'max-age=63072000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
    }
  })
})
