import type * as z from 'zod'
import type { Dependencies, Resolved } from '#lib/config'
import { endpoint } from '#lib/http/endpoint'
import { content } from '#lib/http/reply'
import type { RequestFacts } from '#lib/http/request'
import type { ProblemCode } from '#lib/kernel/domain-error'
import { localeFor } from '#lib/kernel/locale'
import type { LinkPurpose } from '#lib/mail/mail-request'
import { donePage, linkPage } from './link-page.ts'
import { LinkProof } from './mailed-link.ts'

type PagePath = '/verify-email' | '/reset-password' | '/change-email' | '/undo-email-change'

type Page<Method extends string> = { route: `${Method} ${PagePath}`; purpose: LinkPurpose; summary: string }

/** Declares the page that a mailed link opens. */
export const showLinkPage = ({ purpose, ...page }: Page<'GET'>) =>
  endpoint({
    ...page,
    description: 'Plain, and works without script. Opening it changes nothing; its button does.',
    access: 'public',
    output: { 200: content('text/html; charset=utf-8') },
    isSecret: true,
    deps: {},
    run: ({ request }) => linkPage(purpose, localeFor(request.acceptLanguage)),
  })

/** Declares the button of such a page; `act` is the use case of the endpoint that takes the same token as JSON. */
export const submitLinkPage = <D extends Dependencies>({
  purpose,
  act,
  ...page
}: Page<'POST'> & {
  problems: readonly ProblemCode[]
  deps: D
  act: (deps: Resolved<D>, proof: z.infer<typeof LinkProof>, ipAddress: string) => Promise<void>
}) =>
  endpoint({
    ...page,
    description: 'Answers a page that says that it is done.',
    access: 'public',
    input: { query: LinkProof },
    output: { 200: content('text/html; charset=utf-8') },
    isSecret: true,
    run: async ({ query, request }: { query: z.infer<typeof LinkProof>; request: RequestFacts }, deps) => {
      await act(deps, query, request.ipAddress)
      return donePage(purpose, localeFor(request.acceptLanguage))
    },
  })
