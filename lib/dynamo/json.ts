/** Writes the input of an operation as DynamoDB's JSON, which holds bytes as base64. */
export const writeInput = (input: object): string =>
  JSON.stringify(input, function (this: Record<string, unknown>, name, value) {
    // A Buffer has become an object by now: bytes are taken from where they were found.
    const found = this[name]
    return found instanceof Uint8Array ? Buffer.from(found).toString('base64') : value
  })

/** Reads an answer in DynamoDB's JSON, with bytes as they were written. */
export function readAnswer<Answer>(text: string): Answer {
  return HAS_BYTES.test(text) ? JSON.parse(text, withBytes) : JSON.parse(text)
}

/** Where an attribute is called `B`, its value is an object. Quotes within a text are escaped. */
const HAS_BYTES = /"(B|BS)"\s*:\s*["[]/

function withBytes(name: string, value: unknown): unknown {
  if (name === 'B' && typeof value === 'string') return bytesOf(value)
  return name === 'BS' && Array.isArray(value) ? value.map(bytesOf) : value
}

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'))
