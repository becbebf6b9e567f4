import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { spec as openapi } from '#functions/service/openapi'
import { openApiDocument } from '#functions/service/specs.derived'
import { EVENTS, WEBHOOK_EVENTS } from '#lib/events/event-types'
import { API_VERSION } from '#lib/http/api-version'
import { PROBLEMS } from '#lib/http/problems'
import { answerOf } from '#lib/http/reply'
import { splitRoute } from '#lib/http/route'
import { routesOfSpec } from '#lib/http/spec'
import { call } from '#test/support/call'
import { httpSpecs } from '#test/support/function-modules'

type Json = Record<string, unknown>
type Operation = {
  route: string
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters: { name: string; in: string; required?: boolean; schema?: Json }[]
  requestBody?: { required: boolean; content: Record<string, { schema?: Json; example?: unknown }> }
  responses: Record<
    string,
    { description: string; headers?: Json; content?: Record<string, { schema?: Json; example?: unknown }> }
  >
}

let document: Json & {
  openapi: string
  info: Json
  tags: { name: string }[]
  paths: Record<string, Record<string, Omit<Operation, 'route'>>>
  webhooks: Record<string, { post: Json }>
  components: { schemas: Record<string, Json>; securitySchemes: Json }
}
let operations: Operation[]

beforeAll(async () => {
  document = JSON.parse(JSON.stringify(await openApiDocument()))
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      ...operation,
    })),
  )
})

/** Every object within a document, with the way to it. */
function* objects(value: unknown, way: readonly string[] = []): Generator<{ way: string; object: Json }> {
  if (value === null || typeof value !== 'object') return
  if (!Array.isArray(value)) yield { way: way.join('/'), object: value as Json }
  for (const [name, child] of Object.entries(value)) yield* objects(child, [...way, name])
}

/** Every schema of a part of the document, with the way to it. */
const schemas = (value: unknown) =>
  [...objects(value)].filter(({ object }) => 'type' in object || 'anyOf' in object || '$ref' in object)

const found = (pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((node, name) => (node as Json | undefined)?.[name.replaceAll('~1', '/')], document)

describe('the document', () => {
  it('is OpenAPI 3.1 with the version of the package and of every answer', async () => {
    const { version, license } = JSON.parse(
      await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
    )
    expect(document.openapi).toMatch(/^3\.1\.\d$/)
    expect(document.info).toMatchObject({
      title: expect.any(String),
      version,
      license: { identifier: license },
    })
    expect(API_VERSION).toBe(version)
  })

  it('is what GET /openapi.json answers, to anyone, for caches to keep', async () => {
    const { status, body, headers } = await call(openapi)
    const { NewPassword, ...others } = document.components.schemas
    const schemas = { ...others, NewPassword: { ...NewPassword, minLength: 12 } }
    const answered = { ...document, components: { ...document.components, schemas } }
    expect({ status, body }).toEqual({ status: 200, body: answered })
    expect(headers).toMatchObject({ 'api-version': API_VERSION, 'cache-control': 'public, max-age=30' })
  })

  it('bounds a password that is chosen as the service is configured', async () => {
    process.env['PASSWORD_MIN_LENGTH'] = '15'
    const { components, paths }: typeof document = JSON.parse((await call(openapi)).text)
    expect(components.schemas['NewPassword']).toMatchObject({ type: 'string', minLength: 15, maxLength: 128 })
    const chosen = [...objects({ components, paths })].filter(
      ({ object }) => object['$ref'] === '#/components/schemas/NewPassword',
    )
    expect(chosen.map(({ way }) => way.replace('/properties', '')).sort()).toEqual([
      'components/schemas/ChangePasswordBody/newPassword',
      'components/schemas/RegisterBody/password',
      'components/schemas/ResetPasswordBody/newPassword',
      'paths//reset-password/post/requestBody/content/application/x-www-form-urlencoded/schema/newPassword',
    ])
  })

  it('says the same each time', async () => {
    expect(JSON.stringify(await openApiDocument())).toBe(JSON.stringify(document))
  })

  it('refers to nothing that is not there', () => {
    const pointers = [...objects(document)].flatMap(({ object }) =>
      '$ref' in object ? [String(object['$ref'])] : [],
    )
    expect(pointers.length).toBeGreaterThan(50)
    expect(pointers.filter((pointer) => !pointer.startsWith('#/') || found(pointer) === undefined)).toEqual(
      [],
    )
  })

  it('names its schemas, tags and security schemes as OpenAPI wants names', () => {
    const { schemas, securitySchemes } = document.components
    const names = [...Object.keys(schemas), ...Object.keys(securitySchemes)]
    expect(names.filter((name) => !/^[A-Za-z0-9._-]+$/.test(name))).toEqual([])
    expect(document.tags.map(({ name }) => name)).toEqual([...new Set(document.tags.map(({ name }) => name))])
  })

  it('says nothing twice that JSON Schema 2020-12 says once, and nothing that it does not know', () => {
    const KEYWORDS = new Set(
      (
        '$ref type enum const anyOf oneOf allOf not properties required additionalProperties propertyNames items prefixItems ' +
        'minItems maxItems uniqueItems minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum ' +
        'multipleOf minProperties maxProperties title description default example examples deprecated'
      ).split(' '),
    )
    const parts = [document.components.schemas, document.paths]
    const strange = parts.flatMap((part) =>
      schemas(part).flatMap(({ way, object }) =>
        /properties$|\/(example|default)/.test(way) || 'in' in object
          ? []
          : Object.keys(object)
              .filter((keyword) => !KEYWORDS.has(keyword))
              .map((keyword) => `${way}: ${keyword}`),
      ),
    )
    expect(strange).toEqual([])
  })

  it('requires only properties that it describes', () => {
    const wrong = [...objects(document)].filter(
      ({ object: { required, properties } }) =>
        Array.isArray(required) &&
        required.some((name) => !Object.hasOwn((properties ?? {}) as object, name)),
    )
    expect(wrong.map(({ way }) => way)).toEqual([])
  })
})

describe('every operation', () => {
  it('has the name of its function, and no other has it', async () => {
    const ids = operations.map(({ operationId }) => operationId)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    const { functions } = parse(await readFile(new URL('../../serverless.yml', import.meta.url), 'utf8'), {
      logLevel: 'silent',
    }) as { functions: Record<string, unknown> }
    const further = ['paymentCallbackByPut', 'paymentCallbackByGet']
    expect(ids.filter((id) => !Object.hasOwn(functions, id)).sort()).toEqual(further.sort())
  })

  it('says which headers it answers with, each described once', () => {
    const said = operations.flatMap(({ route, responses }) =>
      Object.entries(responses).map(([status, { headers = {} }]) => ({
        route,
        status,
        names: Object.keys(headers),
      })),
    )
    for (const { route, status, names } of said) {
      expect(names, `${route} ${status}`).toEqual(expect.arrayContaining(['X-Request-Id', 'API-Version']))
      if (status === '429') expect(names).toEqual(expect.arrayContaining(['Retry-After', 'RateLimit']))
    }
    const tagged = said.filter(({ status, names }) => status === '200' && names.includes('ETag'))
    expect(tagged.map(({ route }) => route)).toEqual(
      expect.arrayContaining(['GET /listings/{id}', 'PATCH /listings/{id}', 'PATCH /listings/{id}/moderate']),
    )
  })

  it('has a summary of a line, and a tag that is described', () => {
    const tags = document.tags.map(({ name }) => name)
    const wrong = operations.filter(
      ({ summary, tags: own }) =>
        !/^[^\n]{5,80}[^.]$/.test(summary) || own.length !== 1 || !own.every((tag) => tags.includes(tag)),
    )
    expect(wrong.map(({ route }) => route)).toEqual([])
  })

  it('has a description of whole sentences', () => {
    const wrong = operations.filter(({ description = '' }) => !/^[A-Z\d`].{15,}\.$/s.test(description))
    expect(wrong.map(({ route }) => route)).toEqual([])
  })

  it('describes the parameters of its path, each once, and requires them', () => {
    const wrong = operations.filter(({ route, parameters }) => {
      const named = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const given = parameters.filter(({ in: place }) => place === 'path')
      return (
        JSON.stringify(given.map(({ name }) => name)) !== JSON.stringify(named) ||
        given.some(({ required }) => required !== true) ||
        parameters.some(({ schema }) => schema === undefined) ||
        new Set(parameters.map(({ name, in: place }) => `${place} ${name}`)).size !== parameters.length
      )
    })
    expect(wrong.map(({ route }) => route)).toEqual([])
  })

  it('takes credentials that are described, and names scopes for API keys alone', () => {
    const known = Object.keys(document.components.securitySchemes)
    const wrong = operations.filter(
      ({ security }) =>
        security.length === 0 ||
        !security
          .flatMap((credential) => Object.entries(credential))
          .every(([name, scopes]) => known.includes(name) && scopes.length > 0 === (name === 'apiKey')),
    )
    expect(wrong.map(({ route }) => route)).toEqual([])
  })

  it('answers at least one success and at least what may go wrong on our side, each described', () => {
    const wrong = operations.filter(({ responses }) => {
      const statuses = Object.keys(responses)
      return (
        !statuses.some((status) => status.startsWith('2')) ||
        !statuses.includes('500') ||
        !statuses.includes('503') ||
        statuses.some((status) => !/^[2-5]\d\d$/.test(status)) ||
        Object.values(responses).some(({ description }) => !description)
      )
    })
    expect(wrong.map(({ route }) => route)).toEqual([])
  })

  it('answers whatever goes wrong with a problem document, by the codes that it names', () => {
    const codeOf = ({ $ref }: Json) => {
      const { allOf } = found(String($ref)) as { allOf: [Json, { properties: { code: { const: string } } }] }
      return allOf[1].properties.code.const
    }
    const wrong = operations.flatMap(({ route, responses }) =>
      Object.entries(responses)
        .filter(([status]) => status >= '400')
        .filter(([, { description, content }]) => {
          const { schema = {} } = content?.['application/problem+json'] ?? {}
          const typed = [schema['oneOf'] ?? schema].flat().map((part) => codeOf(part as Json))
          const named = [...description.matchAll(/^`(\w+)`/gm)].map(([, code]) => code)
          return JSON.stringify(typed) !== JSON.stringify(named)
        })
        .map(([status]) => `${route} ${status}`),
    )
    expect(wrong).toEqual([])
  })

  it('types the members that a code adds to its problems', () => {
    expect(document.components.schemas['ReferenceTakenProblem']).toMatchObject({
      allOf: [
        { $ref: '#/components/schemas/Problem' },
        {
          properties: {
            code: { const: 'reference_taken' },
            listingId: { $ref: '#/components/schemas/ListingId' },
          },
          required: ['code', 'listingId'],
        },
      ],
    })
  })

  it('types a member of a problem that has few values by those values', () => {
    const problems = Object.entries(document.components.schemas).filter(([name]) => /.Problem$/.test(name))
    const texts = problems.flatMap(([name, problem]) =>
      [...objects(problem)]
        .filter(
          ({ way, object }) => [object['type']].flat().includes('string') && !/propertyNames$/.test(way),
        )
        .filter(({ object }) => !('const' in object || 'enum' in object || 'format' in object))
        .map(({ way }) => `${name}: ${way.replace(/^.*properties\//, '')}`),
    )
    // Each of these has as many values as there are people, challenges, currencies or providers' codes.
    expect(texts.sort()).toEqual([
      'AlreadyClaimedProblem: by',
      'BalanceOpenProblem: currency',
      'PaymentRefusedProblem: providerCode',
      'SecondFactorRequiredProblem: challenge',
    ])
    expect(document.components.schemas['PayoutTransitionNotAllowedProblem']).toMatchObject({
      allOf: [{}, { properties: { from: { $ref: '#/components/schemas/PayoutStatus' } } }],
    })
  })

  it('takes If-Match where a version may be stale, and If-None-Match where an answer may be known', () => {
    const conditional = operations.map(({ route, parameters, responses, requestBody }) => {
      const takes = (name: string) => parameters.some((parameter) => parameter.name === name)
      // Reports are closed up to the newest one that was seen, which the body says.
      const saysWhatWasSeen = JSON.stringify(requestBody ?? null).includes('"upTo"')
      const mayBeStale = '412' in responses && !saysWhatWasSeen
      expect([route, takes('If-Match')]).toEqual([route, mayBeStale])
      expect([route, takes('If-None-Match')]).toEqual([route, '304' in responses])
      return takes('If-Match') || takes('If-None-Match') ? [route] : []
    })
    expect(conditional.flat().sort()).toEqual([
      'DELETE /listings/{id}',
      'DELETE /listings/{id}/media/{mediaId}',
      'DELETE /listings/{id}/revision',
      'GET /listings/{id}',
      'PATCH /auth/kyc',
      'PATCH /listings/{id}',
      'PATCH /listings/{id}/media',
      'PATCH /listings/{id}/moderate',
      'POST /listings/{id}/withdraw',
      'PUT /listings/{id}/availability',
    ])
  })

  it('names its body where it takes one, down to every field', () => {
    const wrong = operations.flatMap(({ route, requestBody }) =>
      requestBody === undefined ||
      Object.values(requestBody.content).every(({ schema }) => schema && Object.keys(schema).length > 0)
        ? []
        : [route],
    )
    expect(wrong).toEqual([])
  })
})

describe('what is no JSON', () => {
  const found = (route: string) => {
    const operation = operations.find((each) => each.route === route)
    if (operation === undefined) throw new Error(`There is no ${route}`)
    return operation
  }
  const typesOf = (route: string, status: string) =>
    Object.keys(found(route).responses[status]?.content ?? {})

  it('is named beside JSON where the caller may choose', () => {
    expect(typesOf('GET /payments/{id}/receipt', '200')).toEqual(['application/json', 'text/html'])
    expect(typesOf('GET /auth/profile/statement', '200')).toEqual(['application/json', 'text/csv'])
    expect(typesOf('GET /admin/ledger', '200')).toEqual(['application/json', 'text/csv'])
  })

  it('is a script or a style where a page asks for its files', () => {
    expect(typesOf('GET /docs/{file}', '200')).toEqual(['text/javascript', 'text/css'])
    expect(typesOf('GET /console/{file}', '200')).toEqual(['text/javascript', 'text/css'])
  })

  it('is a form that a page sends, whose refusal is a page as well', () => {
    const { requestBody, responses } = found('POST /reset-password')
    expect(requestBody).toMatchObject({
      required: false,
      content: { 'application/x-www-form-urlencoded': { schema: { properties: { newPassword: {} } } } },
    })
    expect(Object.keys(responses)).not.toContain('415')
    for (const status of ['400', '403', '413', '429', '500', '503'])
      expect(typesOf('POST /reset-password', status)).toEqual(['application/problem+json', 'text/html'])
  })

  it('is what a provider calls back, by POST or by another method that is refused with 405 where it takes none', () => {
    const by = (method: string) => found(`${method} /payments/callback/{provider}`)
    expect([by('POST'), by('PUT'), by('GET')].map(({ responses }) => '405' in responses)).toEqual([
      false,
      true,
      true,
    ])
    expect(by('GET').responses['405']?.headers).toHaveProperty('Allow')
    expect(by('GET').requestBody).toBeUndefined()
    expect(by('POST').requestBody).toMatchObject({ required: true, content: { '*/*': {} } })
    expect(by('POST').responses['401']?.headers).not.toHaveProperty('WWW-Authenticate')
  })
})

describe('a body', () => {
  it('may be left out where all of its fields may', () => {
    const required = Object.fromEntries(
      operations.flatMap(({ route, requestBody }) => (requestBody ? [[route, requestBody.required]] : [])),
    )
    expect(required).toMatchObject({
      'POST /auth/login': true,
      'POST /auth/logout': false,
      'PATCH /auth/profile': false,
      'POST /listings': true,
      'POST /listings/{id}/media': true,
      'POST /payment-requests/{id}/cancel': false,
      'POST /payments': true,
    })
  })
})

describe('what webhooks are sent', () => {
  it('stands in the document, type by type, with the data of each event', () => {
    const { webhooks } = document
    expect(Object.keys(webhooks)).toEqual(Object.keys(WEBHOOK_EVENTS))
    expect(webhooks['listing.price_changed']?.post).toMatchObject({
      operationId: 'listingPriceChangedEvent',
      requestBody: {
        content: {
          'application/json': {
            schema: {
              properties: {
                type: { const: 'listing.price_changed' },
                data: { properties: { to: { $ref: '#/components/schemas/Money' } } },
              },
            },
          },
        },
      },
    })
  })
})

describe('an event', () => {
  const pascal = (type: string) =>
    type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())

  it.each(Object.keys(EVENTS))('says by its type what it holds, and when it is sent: %s', (type) => {
    const { schemas } = document.components
    expect(schemas['DomainEvent']).toMatchObject({
      discriminator: { mapping: { [type]: `#/components/schemas/${pascal(type)}Event` } },
    })
    expect(schemas[`${pascal(type)}Event`]).toMatchObject({
      required: ['id', 'type', 'at', 'subject', 'data'],
      properties: { type: { const: type }, data: { type: 'object' } },
      description: expect.stringMatching(/^[A-Z].*\.$/),
    })
  })

  it('names its states', () => {
    expect(document.components.schemas['ListingStatusChangedEvent']).toMatchObject({
      properties: { data: { properties: { to: { enum: expect.arrayContaining(['PUBLISHED']) } } } },
    })
  })
})

describe('an answer that carries a token or a secret', () => {
  // Attack: beside text of the attacker's own choice, the length of a compressed answer tells of the secret in it.
  it('is declared as such, so that it is never compressed', async () => {
    const SECRET = /"(accessToken|refreshToken|secret)":/
    const carrying = (await httpSpecs()).flatMap((spec) => {
      if (spec.kind === 'callback' || spec.route === '$default') return []
      const { responses } = operations.find(({ route }) => route === spec.route) ?? {}
      const answers = Object.values(responses ?? {}).map(
        ({ content }) => content?.['application/json']?.example,
      )
      return answers.some((example) => SECRET.test(JSON.stringify(example) ?? '')) ? [spec] : []
    })
    expect(carrying.map(({ route }) => route)).toEqual(
      expect.arrayContaining(['POST /auth/login', 'POST /auth/register', 'POST /auth/refresh']),
    )
    expect(carrying.filter(({ isSecret }) => !isSecret).map(({ route }) => route)).toEqual([])
  })
})

describe('what a client is generated from', () => {
  it('leaves optional in a body what has a default, and says the default in words', () => {
    expect(document.components.schemas['PaymentDraft']).toMatchObject({
      required: ['provider'],
      properties: { returnUrl: expect.not.objectContaining({ default: null }) },
    })
    expect(document.components.schemas['CancelPaymentRequestBody']).toEqual({
      type: 'object',
      properties: {
        series: { type: 'boolean', description: 'Ends the series as well; `false` by default' },
      },
    })
  })

  it('has a schema for each direction where what is sent differs from what is answered', () => {
    const { schemas } = document.components
    expect(schemas['MobileNetwork']).toMatchObject({ enum: expect.arrayContaining(['mtn']) })
    expect(schemas['MobileNetworkInput']).toMatchObject({ type: 'string', maxLength: 40 })
    const namesIn = (schema: string) => JSON.stringify(schemas[schema]).match(/schemas\/MobileNetwork\w*/g)
    expect(namesIn('PayoutAccountInput')).toEqual(['schemas/MobileNetworkInput'])
  })

  it('says a format in place of its pattern', () => {
    const both = [...objects(document)].filter(({ object }) => 'format' in object && 'pattern' in object)
    expect(both.map(({ way }) => way)).toEqual([])
    expect(document.components.schemas['User']).toMatchObject({
      properties: { createdAt: { type: 'string', format: 'date-time' } },
    })
  })

  it('requires the file of a form, and tells its bytes from texts', () => {
    const forms = operations.flatMap(({ route, requestBody }) => {
      const form = requestBody?.content['multipart/form-data']
      return form ? [[route, form.schema]] : []
    })
    const file = { type: 'string', format: 'binary' }
    const upToTen = (items: Json) => ({ type: 'array', items, maxItems: 10 })
    expect(Object.fromEntries(forms)).toEqual({
      'POST /auth/kyc/documents': {
        type: 'object',
        required: ['file', 'type'],
        properties: { file, type: { type: 'string', enum: expect.arrayContaining(['passport', 'selfie']) } },
      },
      'POST /listings/{id}/media': {
        type: 'object',
        required: ['file'],
        properties: { file: upToTen(file), caption: upToTen({ type: 'string' }) },
      },
    })
  })

  it('shows an example of every body but files, which the endpoint would take or give', async () => {
    const wrong = (await httpSpecs()).flatMap((spec) => {
      if (spec.kind === 'callback' || spec.route === '$default') return []
      const operation = operations.find(({ route }) => route === spec.route)
      const [sent] = Object.values(operation?.requestBody?.content ?? {})
      const answered = Object.entries(spec.output).flatMap(([status, declared]) => {
        const content = operation?.responses[status]?.content?.['application/json']
        const answer = answerOf(declared)
        return content && 'schema' in answer
          ? [{ what: `${spec.route} ${status}`, schema: answer.schema, example: content.example }]
          : []
      })
      const body = spec.input?.body
      const all = [...(body ? [{ what: spec.route, schema: body, example: sent?.example }] : []), ...answered]
      return all.flatMap(({ what, schema, example }) => {
        const { error } = schema.safeParse(example)
        return (error?.issues ?? []).map(
          ({ path, message }) => `${what} ${path.join('.')}: ${message.slice(0, 60)}`,
        )
      })
    })
    expect(wrong, 'Give the field an example: .meta({ example: … })').toEqual([])
  })
})

describe('an example', () => {
  /** Every example of a JSON body, sent or answered, with its operation. */
  const examples = () =>
    operations.flatMap(({ route, requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap((body) => {
        const json = body?.content?.['application/json']
        return json ? [{ route, example: json.example }] : []
      }),
    )

  it('looks like life: no text of it stands for any text', () => {
    const wrong = examples().flatMap(({ route, example }) =>
      [...JSON.stringify(example).matchAll(/"(\w+)":"?\[?"?(<\w*>|Some text)/g)].map(
        ([, field]) => `${route} ${field}`,
      ),
    )
    expect(wrong, 'Give the field an example: .meta({ example: … })').toEqual([])
  })

  it('shows a body that changes something', () => {
    const sent = operations.flatMap(({ route, requestBody }) => {
      const json = requestBody?.content['application/json']
      return json && Object.keys(json.example as Json).length === 0 ? [route] : []
    })
    expect(sent).toEqual([])
    const patch = operations.find(({ route }) => route === 'PATCH /listings/{id}')?.requestBody
    expect(patch?.content['application/json']?.example).toMatchObject({ price: { currency: 'XOF' } })
  })

  it('says why a medium was refused only of one that was', () => {
    const media = examples()
      .flatMap(({ example }) => [...objects(example)])
      .filter(({ object }) => 'variants' in object && 'status' in object)
    expect(media.map(({ object }) => object['status'])).toEqual(
      expect.arrayContaining(['READY', 'PROCESSING']),
    )
    const wrong = media.filter(
      ({ object: { status, reason } }) => (status === 'REJECTED') !== (reason !== null),
    )
    expect(wrong.map(({ way }) => way)).toEqual([])
  })
})

describe('every spec', () => {
  it('has each of its problems in the table, and under their status in the document', async () => {
    for (const spec of await httpSpecs()) {
      if ('route' in spec && spec.route === '$default') continue
      for (const code of spec.problems ?? []) {
        const [status] = PROBLEMS[code]
        for (const route of routesOfSpec(spec)) {
          const { method, path } = splitRoute(route)
          const operation = document.paths[path]?.[method.toLowerCase()]
          expect(operation?.responses[String(status)]?.description, `${route} ${code}`).toContain(
            `\`${code}\``,
          )
        }
      }
    }
  })

  it('has each of its successes in the document, with a schema where there is a body', async () => {
    for (const spec of await httpSpecs()) {
      if (spec.kind === 'callback' || spec.route === '$default') continue
      const { method, path } = splitRoute(spec.route)
      for (const [status, declared] of Object.entries(spec.output)) {
        const response = document.paths[path]?.[method.toLowerCase()]?.responses[status]
        expect(response, `${spec.route} ${status}`).toBeDefined()
        const answer = answerOf(declared)
        const type =
          answer.kind === 'content' ? answer.contentTypes[0].replace(/;.*/, '') : 'application/json'
        expect(response?.content?.[type] !== undefined, `${spec.route} ${status}`).toBe(declared !== null)
      }
    }
  })
})

describe('every answer', () => {
  /** What is left out for those who may not see it. */
  const LEFT_OUT = ['Listing: note', 'Problem: errors']

  it('has all of its fields: an unset one is null, never absent', () => {
    const answered = new Set<string>()
    const follow = (value: unknown) => {
      for (const { object } of objects(value)) {
        const [, name = ''] = /^#\/components\/schemas\/(.*)$/.exec(String(object['$ref'])) ?? []
        if (name === '' || answered.has(name)) continue
        answered.add(name)
        follow(document.components.schemas[name])
      }
    }
    for (const { responses } of operations) follow(responses)
    const absent = [...answered].flatMap((name) => {
      const { properties = {}, required = [] } = document.components.schemas[name] as {
        properties?: Json
        required?: string[]
      }
      return Object.keys(properties)
        .filter((property) => !required.includes(property))
        .map((property) => `${name}: ${property}`)
    })
    expect(absent.sort()).toEqual(LEFT_OUT.sort())
  })

  it('knows every problem there is, by code', () => {
    expect(document.components.schemas['Problem']).toMatchObject({
      properties: { code: { enum: Object.keys(PROBLEMS) } },
      required: ['type', 'title', 'status', 'code', 'detail', 'requestId'],
    })
  })
})
