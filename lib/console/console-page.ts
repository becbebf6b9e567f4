import { dependency } from '#lib/config/config'
import type { ConsoleRole } from '#lib/kernel/console-role'
import { escapeHtml } from '#lib/kernel/html'
import { coloursOf } from '#lib/pages/brand'
import type { FindEndpoints, OpenidEndpoints } from './openid-provider.ts'

/** The parts of the page besides the endpoints of the OpenID provider. */
type PageSettings = {
  publicUrl: string
  clientId: string
  /** The product's name and colour, and its stage. */
  product: { name?: string | undefined; colour: string; stage: string }
  /** Where pictures, films and documents lie. */
  mediaOrigins: readonly string[]
  /** The claim of a token that names its groups, the group with every role, and the group of each role. */
  groups: { claim: string; all: string; roles: Partial<Record<ConsoleRole, string>> }
  /** The age from which a sign-in is too old for actions that need a recent one; 0 accepts every sign-in. */
  stepUpSeconds: number
}

/** The page's settings, and the origins of both buckets as presigned links spell them. */
export const pageSettings = dependency(
  [
    'PUBLIC_URL',
    'CONSOLE_AUDIENCE',
    'CONSOLE_ADMIN_CLAIM',
    'CONSOLE_ADMIN_GROUP',
    'CONSOLE_ROLES',
    'CONSOLE_STEP_UP_SECONDS',
    'BRAND',
    'STAGE',
    'MEDIA_URL',
    'MEDIA_BUCKET',
    'DOCUMENTS_BUCKET',
    'AWS_REGION',
    'AWS_ENDPOINT_URL_S3',
  ],
  (config): PageSettings => ({
    publicUrl: config.PUBLIC_URL,
    clientId: config.CONSOLE_AUDIENCE,
    product: { name: config.BRAND.name, colour: coloursOf(config.BRAND).colour, stage: config.STAGE },
    groups: {
      claim: config.CONSOLE_ADMIN_CLAIM,
      all: config.CONSOLE_ADMIN_GROUP,
      roles: config.CONSOLE_ROLES,
    },
    stepUpSeconds: config.CONSOLE_STEP_UP_SECONDS,
    mediaOrigins: [
      ...new Set([
        new URL(config.MEDIA_URL).origin,
        ...[config.MEDIA_BUCKET, config.DOCUMENTS_BUCKET].map((bucket) =>
          config.AWS_ENDPOINT_URL_S3 === undefined
            ? `https://${bucket}.s3.${config.AWS_REGION}.amazonaws.com`
            : new URL(config.AWS_ENDPOINT_URL_S3).origin,
        ),
      ]),
    ],
  }),
)

/** The hashed names of the files that the page links to. */
type PageFiles = { script: string; style: string }

type PageDeps = { page: PageSettings; endpoints: FindEndpoints }

/**
 * Answers with the console's page: no content of its own, one script, one style, and the settings that the script
 * reads. While the OpenID provider does not answer, the page comes without its endpoints and says so.
 */
export async function showConsole({ page, endpoints }: PageDeps, files: PageFiles) {
  const found = await endpoints()
  return {
    status: 200 as const,
    body: pageOf(page, found, files),
    headers: { 'content-security-policy': policyOf(page, found) },
  }
}

/**
 * Returns the Content-Security-Policy: scripts and styles come from the page's own files alone, no text becomes script at
 * run time, and no other page frames this one.
 */
function policyOf({ mediaOrigins }: PageSettings, endpoints: OpenidEndpoints | undefined): string {
  const called = [endpoints?.token_endpoint, endpoints?.revocation_endpoint].flatMap((url) =>
    url === undefined ? [] : [new URL(url).origin],
  )
  const media = mediaOrigins.join(' ')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["connect-src 'self'", ...new Set(called)].join(' '),
    `img-src 'self' data: ${media}`,
    `media-src ${media}`,
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

function pageOf(
  { publicUrl, clientId, product, groups, stepUpSeconds }: PageSettings,
  endpoints: OpenidEndpoints | undefined,
  { script, style }: PageFiles,
): string {
  const settings = JSON.stringify({
    clientId,
    redirectUri: `${publicUrl}/console`,
    product,
    groups,
    stepUpSeconds,
    ...(endpoints && {
      authorize: endpoints.authorization_endpoint,
      token: endpoints.token_endpoint,
      revoke: endpoints.revocation_endpoint,
      endSession: endpoints.end_session_endpoint,
    }),
  })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="settings" content="${escapeHtml(settings)}">
<title>${escapeHtml(product.name ?? 'Console')}</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="/console/${style}">
<script type="module" src="/console/${script}"></script>
<body>
<noscript>The console needs JavaScript.</noscript>
<div id="app"></div>
</html>
`
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%23405cd6'/%3E%3Cpath d='M4 8.5 8 5l4 3.5V12H4z' fill='%23fff'/%3E%3C/svg%3E"
