export type Ports = {
  /** The front gateway: the only one a client needs to know. */
  gateway: number
  /** serverless-offline's HTTP API. */
  functions: number
  /** serverless-offline's Lambda invocation API. */
  lambda: number
  dynamodb: number
  s3: number
  /** Public media, as CloudFront would serve them. */
  media: number
  /** The administrators' OpenID provider. */
  openid: number
  /** The mail catcher's SMTP. */
  mail: number
}

/** The inner ports are 10,000 to 32,399: below those that Linux hands out for outgoing connections, from 32,768 on. */
const FIRST_INNER_PORT = 10_000
const INNER_PORTS = 7
const STACKS = 3_200

/**
 * Derives a stack's ports from its first: 3000 also takes 31000 to 31006. Two stacks never meet, even on neighbouring
 * ports, unless their first ones are a multiple of 3,200 apart.
 */
export const portsFrom = (first: number): Ports => {
  const inner = FIRST_INNER_PORT + (first % STACKS) * INNER_PORTS
  return {
    gateway: first,
    functions: inner,
    lambda: inner + 1,
    dynamodb: inner + 2,
    s3: inner + 3,
    media: inner + 4,
    openid: inner + 5,
    mail: inner + 6,
  }
}
