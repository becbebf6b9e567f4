import * as z from 'zod'
import { Email } from '#lib/accounts/account'
import type { Dependencies, Resolved } from '#lib/config/config'
import { endpoint } from '#lib/http/endpoint'
import { content } from '#lib/http/reply'
import type { RequestFacts } from '#lib/http/request'
import type { PageRefusal } from '#lib/http/spec'
import type { ProblemCode } from '#lib/kernel/domain-error'
import { type Locale, localeFor } from '#lib/kernel/locale'
import { fieldErrors, validationFailed } from '#lib/kernel/validation-problem'
import type { LinkPurpose } from '#lib/mail/mail-request'
import { type Brand, brand } from '#lib/pages/brand'
import { donePage, type FormState, linkPage, refusedLinkPage, sentPage } from './link-page.ts'
import { LinkProof } from './mailed-link.ts'

type PagePath = '/verify-email' | '/reset-password' | '/change-email' | '/undo-email-change'

type LinkPageFacts<Method extends string> = {
  route: `${Method} ${PagePath}`
  purpose: LinkPurpose
  summary: string
}

/** Declares the page that a mailed link opens. */
export const showLinkPage = ({ purpose, ...page }: LinkPageFacts<'GET'>) =>
  endpoint({
    ...page,
    description:
      'Works without script. Opening it changes nothing; its button does. It offers another link to a reader whose link ' +
      'does not work.',
    access: 'public',
    output: { 200: content('text/html; charset=utf-8') },
    deps: { brand },
    run: ({ request }, deps) =>
      linkPage(purpose, { locale: localeFor(request.acceptLanguage), brand: deps.brand }),
  })

/**
 * Declares the endpoint that the form of a link's page posts to. The use case `act` receives the token and the form's
 * fields as `proof` parses them. `renew` mails a new link to a typed address and needs no proof. `formOf` makes the form
 * that is shown again after a refusal.
 */
export const submitLinkPage = <D extends Dependencies & { brand: typeof brand }, Proof>({
  purpose,
  proof,
  body = Renewal,
  description = 'Answers a page that says that it is done.',
  act,
  renew,
  formOf,
  ...page
}: LinkPageFacts<'POST'> & {
  description?: string
  problems: readonly ProblemCode[]
  deps: D
  proof: z.ZodType<Proof>
  body?: z.ZodType<{ email?: string | undefined }>
  act: (deps: Resolved<D>, proof: Proof, request: RequestFacts) => Promise<void>
  renew?: (deps: Resolved<D>, asked: { email: string }, ipAddress: string) => Promise<void>
  formOf?: (deps: Resolved<D>, locale: Locale, refusal: PageRefusal) => FormState
}) =>
  endpoint({
    ...page,
    description,
    access: 'public',
    // The token is in the page's address, the other fields are in its form. A request for a new link has no token.
    input: { query: LinkProof.partial(), body },
    output: { 200: content('text/html; charset=utf-8') },
    refusalPage: (refusal: PageRefusal, deps: Resolved<D>) => {
      const setting = settingOf(deps, refusal.acceptLanguage)
      return refusedLinkPage(purpose, setting, refusal, formOf?.(deps, setting.locale, refusal))
    },
    run: async ({ query, body: sent, request }, deps: Resolved<D>) => {
      const setting = settingOf(deps, request.acceptLanguage)
      if (renew && sent.email !== undefined) {
        await renew(deps, { email: sent.email }, request.ipAddress)
        return sentPage(setting)
      }
      await act(deps, parseProof(proof, { ...query, ...sent }), request)
      return donePage(purpose, setting)
    },
  })

/** The body of a page's form. An `email` asks for a new link to this address. */
export const Renewal = z.object({ email: Email.optional() }).meta({ example: { email: 'awa@example.com' } })

const settingOf = (deps: { brand?: unknown }, acceptLanguage: string | null) => ({
  locale: localeFor(acceptLanguage),
  // Every caller declares `brand`, but TypeScript does not resolve it behind the type parameter `D`.
  brand: deps.brand as Brand,
})

function parseProof<Proof>(proof: z.ZodType<Proof>, sent: object): Proof {
  const parsed = proof.safeParse(sent, { reportInput: true })
  if (!parsed.success) throw validationFailed(fieldErrors(parsed.error))
  return parsed.data
}
