import type { KoaContextWithOIDC } from 'oidc-provider'

/** Makes the page that ends the provider's session. It submits itself, since the person has already asked to sign out. */
export async function logoutSource(ctx: KoaContextWithOIDC, form: string): Promise<void> {
  ctx.body = page(
    'Signing out',
    `${form}
<button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>
<script>
  const button = document.querySelector('button')
  document.forms[0].requestSubmit(button)
</script>`,
  )
}

/** Makes the page after a sign-out that names no page to return to. */
export async function postLogoutSuccessSource(ctx: KoaContextWithOIDC): Promise<void> {
  ctx.body = page('Signed out', '')
}

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<h1>${title}</h1>
${body}
</html>
`
