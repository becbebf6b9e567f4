import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { invalidField, invalidFields, tooManyRequests } from '#lib/kernel/domain-error'
import { fieldErrors, validationFailed } from '#lib/kernel/validation-problem'

const errorsOf = (schema: z.ZodType, value: unknown, describe?: () => string) => {
  const { error } = schema.safeParse(value, { reportInput: true })
  return error ? fieldErrors(error, describe) : []
}
const messageOf = (schema: z.ZodType, value: unknown) => errorsOf(schema, value)[0]?.message

describe('a refused field', () => {
  it('is named by its path, with dots and with places in lists', () => {
    const Body = z.object({ files: z.array(z.object({ name: z.object({ en: z.string() }) })) })
    expect(errorsOf(Body, { files: [{ name: { en: 'one' } }, { name: { en: 2 } }] })).toEqual([
      { path: 'files[1].name.en', code: 'invalid_type', message: 'must be a string' },
    ])
  })

  it('is named by nothing where the body itself is refused', () => {
    expect(errorsOf(z.object({}), 7)).toEqual([
      { path: '', code: 'invalid_type', message: 'must be an object' },
    ])
  })

  it.each([
    ['of a type', z.string()],
    ['of some values', z.enum(['a', 'b'])],
    ['of several types', z.union([z.string(), z.number()])],
  ])('%s that is missing is required', (_what, schema) => {
    expect(errorsOf(z.object({ field: schema }), {})).toEqual([
      { path: 'field', code: 'required', message: 'is required' },
    ])
  })

  it('that chooses the kind of a body is required, and of the values of the document', () => {
    const kind = (name: string) => z.object({ kind: z.literal(name) })
    const schema = z.object({ account: z.discriminatedUnion('kind', [kind('bank'), kind('card')]) })
    expect(errorsOf(schema, { account: {} })).toEqual([
      { path: 'account.kind', code: 'required', message: 'is required' },
    ])
    for (const wrong of ['cash', null, 7]) {
      expect(errorsOf(schema, { account: { kind: wrong } })).toEqual([
        { path: 'account.kind', code: 'invalid_value', message: 'must be one of bank, card' },
      ])
    }
  })

  it('that is null is not missing', () => {
    expect(errorsOf(z.object({ field: z.string() }), { field: null })).toEqual([
      { path: 'field', code: 'invalid_type', message: 'must be a string' },
    ])
  })

  it('that breaks a rule of ours has an invalid value, and its rule’s sentence', () => {
    expect(
      errorsOf(
        z.string().refine(() => false, 'must rhyme'),
        'text',
      ),
    ).toEqual([{ path: '', code: 'invalid_value', message: 'must rhyme' }])
  })

  it('is named once for two bounds of one kind, by the second', () => {
    expect(errorsOf(z.number().max(100).max(10), 1_000)).toEqual([
      { path: '', code: 'too_big', message: 'must be at most 10' },
    ])
  })

  it.each([
    ['a text where a list is expected', z.array(z.string()).max(3), 'text', 'must be an array'],
    ['a list where a text is expected', z.string().min(3), ['one'], 'must be a string'],
  ])('that is %s is named for its type alone, and not for its length', (_what, schema, value, message) => {
    expect(errorsOf(schema, value)).toEqual([{ path: '', code: 'invalid_type', message }])
  })

  it('is described in other words where there are some', () => {
    expect(errorsOf(z.string(), 7, () => 'must be a name')).toMatchObject([{ message: 'must be a name' }])
  })
})

describe('the sentence of a refused field', () => {
  it.each([
    ['must be one', z.literal('one'), 'other'],
    ['must be one of one, two', z.enum(['one', 'two']), 'other'],
    ['must be one of v1, v2', z.enum(['v1', 'v2']), 'v3'],
    ['must be an array', z.array(z.string()), 'text'],
    ['must be a string', z.string(), 7],
    ['must have at least 2 characters', z.string().min(2), 'a'],
    ['must have at most 2 characters', z.string().max(2), 'abc'],
    ['must have at least 1 item', z.array(z.string()).min(1), []],
    ['must have at most 1 item', z.array(z.string()).max(1), ['a', 'b']],
    ['must be at least 2', z.number().min(2), 1],
    ['must be at most 2', z.number().max(2), 3],
    ['must be a valid email', z.email(), 'nobody'],
    ['must be a valid value', z.string().regex(/^a$/), 'b'],
    ['must be the letter a', z.string().regex(/^a$/, 'must be the letter a'), 'b'],
  ])('%s', (sentence, schema, value) => {
    expect(messageOf(schema, value)).toBe(sentence)
  })

  it('names the standard of currencies in place of a hundred codes and more', () => {
    const codes = (count: number) => z.enum(Array.from({ length: count }, (_, index) => `C${index}`))
    expect(messageOf(codes(101), '')).toBe('must be an ISO 4217 currency code')
    expect(messageOf(codes(100), '')).toMatch(/^must be one of C0, C1, .* C99$/)
  })
})

describe('a refused request', () => {
  it('names every field in its detail and apart', () => {
    const errors = [
      { path: '', code: 'invalid_type', message: 'must be an object' },
      { path: 'a.b', code: 'required', message: 'is required' },
    ]
    expect(validationFailed(errors)).toMatchObject({
      code: 'validation_failed',
      message: 'must be an object; a.b is required',
      options: { errors },
    })
  })

  it('names at most a hundred fields, and 1,000 characters of what is wrong', () => {
    const errors = Array.from({ length: 150 }, (_, index) => ({
      path: `field${index}`,
      code: 'required',
      message: 'is required',
    }))
    const { options } = validationFailed(errors)
    expect(options.errors).toEqual(errors.slice(0, 100))
    expect(options.detail).toHaveLength(1_000)
    expect(options.detail).toMatch(/^field0 is required; field1 /)
  })

  it('by the domain names its fields likewise', () => {
    expect(invalidField('price', 'must be positive')).toMatchObject({
      code: 'validation_failed',
      options: {
        detail: 'price must be positive',
        errors: [{ path: 'price', code: 'invalid_value', message: 'must be positive' }],
      },
    })
    expect(invalidField('price', 'is missing', 'required').options.errors).toMatchObject([
      { code: 'required' },
    ])
    const errors = ['a', 'b'].map((path) => ({ path, code: 'required', message: 'is required' }))
    expect(invalidFields(errors)).toMatchObject({
      message: 'a is required; b is required',
      options: { errors },
    })
  })

  it('that is one too many says when there is room again', () => {
    const exceeded = { policy: 'trials', limit: 5, windowSeconds: 60 }
    expect(tooManyRequests(exceeded, 7)).toMatchObject({
      code: 'too_many_requests',
      message: 'There were too many requests; try again in 7 seconds',
      options: { exceeded, retryAfterSeconds: 7 },
    })
  })
})
