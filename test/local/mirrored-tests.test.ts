import { expect, it } from 'vitest'
import { mirroredTest } from '#lib/local/mirrored-tests'

it.each([
  [
    'a file with a test of its name',
    'lib/listings/search/matcher.ts',
    'test/listings/search/matcher.test.ts',
  ],
  ['an adapter', 'lib/listings/search/replica.dynamo.ts', 'test/listings/search/replica.test.ts'],
  ['an endpoint', 'functions/listings/edit-listing.ts', 'test/listings/edit-listing.test.ts'],
  ['a file without a test of its name', 'lib/listings/search/schema.ts', 'test/listings/search/'],
  ['a folder', 'lib/listings/search', 'test/listings/search/'],
  ['a test', 'test/listings/search/matcher.test.ts', 'test/listings/search/matcher.test.ts'],
  ['a path that no test mirrors', 'package.json', undefined],
])('the mirrored test of %s', (_what, path, test) => {
  expect(mirroredTest(path)).toBe(test)
})
