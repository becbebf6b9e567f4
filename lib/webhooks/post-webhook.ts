/** A message to an endpoint. Its headers carry the signature. */
export type WebhookPost = { url: string; headers: Readonly<Record<string, string>>; body: string }

/** The answer of an endpoint, or the reason why it could not be reached. `answer` is the first 1 KiB of its body. */
export type WebhookAnswer = { milliseconds: number } & (
  | { status: number; answer: string; error: null }
  | { status: null; answer: null; error: WebhookFault }
)

/** Why no answer came. */
export type WebhookFault = 'address_not_allowed' | 'name_not_found' | 'timed_out' | 'connection_failed'

/**
 * Sends a message once. The head of the answer must come within ten seconds, redirects are not followed, and at most
 * 1 KiB of the body is read. An address that is not globally reachable is never connected to. Never throws.
 */
export type PostWebhook = (post: WebhookPost) => Promise<WebhookAnswer>
