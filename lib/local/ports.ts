/** Where each part of a local stack listens. Spelled here and nowhere else. */
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

/** The ports of a stack follow from its first, so that two stacks eight ports apart never meet. */
export const portsFrom = (first: number): Ports => ({
  gateway: first,
  functions: first + 1,
  lambda: first + 2,
  dynamodb: first + 3,
  s3: first + 4,
  media: first + 5,
  openid: first + 6,
  mail: first + 7,
})
