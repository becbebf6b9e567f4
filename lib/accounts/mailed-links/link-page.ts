import type { ProblemCode } from '#lib/kernel/domain-error'
import { escapeHtml, type HtmlPage } from '#lib/kernel/html'
import type { Locale } from '#lib/kernel/locale'
import type { LinkPurpose } from '#lib/mail/mail-request'
import { mailWordsIn } from '#lib/mail/words/words-in'
import { type PageSetting, page } from '#lib/pages/page'
import { pageWordsIn } from '#lib/pages/words/words-in'

/** `fields` is HTML beside the button of a link's page; `wrong` is the text that says why the last try was refused. */
export type FormState = { fields?: string; wrong?: string | undefined }

/**
 * Makes the page that a mailed link opens where no front end is configured. Opening it changes nothing; its button posts the
 * token in the page's address. Below the form it offers another link, for a reader whose link does not work.
 */
export function linkPage(
  purpose: LinkPurpose,
  setting: PageSetting,
  { fields = '', wrong }: FormState = {},
): HtmlPage {
  const { title, text, action } = wordsOf(purpose, setting.locale)
  const { linkNotWorking } = pageWordsIn(setting.locale)
  const form = `<form method="post">${fields}<button>${escapeHtml(action)}</button></form>`
  const content = `<p>${escapeHtml(text)}</p>
${wrongLine(wrong)}${form}
<details><summary>${escapeHtml(linkNotWorking)}</summary>${anotherLink(purpose, setting)}</details>`
  return page(setting, { title, content })
}

/** Returns the words of a link's mail. A page uses those that do not name the link's lifetime. */
const wordsOf = (purpose: LinkPurpose, locale: Locale) => mailWordsIn(locale).links[purpose]({ lifetime: '' })

/** Returns the line with the reason of a refusal, for a reader who may try again; empty without a reason. */
const wrongLine = (wrong: string | undefined): string =>
  wrong === undefined ? '' : `<p class="wrong" id="wrong" role="alert">${escapeHtml(wrong)}</p>\n`

/** Makes the page that confirms a used link. */
export function donePage(purpose: LinkPurpose, setting: PageSetting): HtmlPage {
  const { title } = wordsOf(purpose, setting.locale)
  return page(setting, { title, content: `<p>${escapeHtml(pageWordsIn(setting.locale).done)}</p>` })
}

/** Makes the page of a link that is used, expired or unknown: it offers another one. */
function gonePage(purpose: LinkPurpose, setting: PageSetting, wrong?: string): HtmlPage {
  const { gone } = pageWordsIn(setting.locale)
  const content = `<p>${escapeHtml(gone.text)}</p>\n${anotherLink(purpose, setting, wrong)}`
  return page(setting, { title: gone.title, content })
}

/** Makes the page that mails a link to choose a new password. */
export function askForResetPage(setting: PageSetting): HtmlPage {
  const { resetLink } = pageWordsIn(setting.locale)
  const content = `<p>${escapeHtml(resetLink.text)}</p>\n${addressForm(setting.locale, resetLink.action)}`
  return page(setting, { title: resetLink.title, content })
}

/** Makes the page that says that a link was mailed, if the address is known. */
export function sentPage(setting: PageSetting): HtmlPage {
  const { sent } = pageWordsIn(setting.locale)
  return page(setting, { title: sent.title, content: `<p>${escapeHtml(sent.text)}</p>` })
}

/** Returns the page of a refused request: another link where this one is no good, else the form with what is wrong. */
export function refusedLinkPage(
  purpose: LinkPurpose,
  setting: PageSetting,
  { code, errors }: { code: ProblemCode; errors: readonly { path: string }[] },
  state: FormState = {},
): HtmlPage {
  const { notAnEmail, emailTaken, tooMany, failed } = pageWordsIn(setting.locale)
  const isAbout = (field: string) => errors.some(({ path }) => path === field)
  // The address typed into the form for another link is wrong.
  if (isAbout('email')) return gonePage(purpose, setting, notAnEmail)
  if (code === 'invalid_token' || isAbout('token')) return gonePage(purpose, setting)
  // The caller's own text says more than the one of the code.
  if (state.wrong !== undefined) return linkPage(purpose, setting, state)
  const textOf: Partial<Record<ProblemCode, string>> = { email_taken: emailTaken, too_many_requests: tooMany }
  return linkPage(purpose, setting, { ...state, wrong: textOf[code] ?? failed })
}

/** Offers a new link by mail or, for a change of address, says how to begin again and offers to reset the password. */
function anotherLink(purpose: LinkPurpose, { locale }: PageSetting, wrong?: string): string {
  const { newLink, resetLink, changeAgain, undoAgain } = pageWordsIn(locale)
  const isRenewable = purpose === 'password-reset' || purpose === 'email-verification'
  if (isRenewable)
    return `<p>${escapeHtml(newLink.text)}</p>\n${addressForm(locale, newLink.action, { wrong, target: THIS_PAGE })}`
  const advice = escapeHtml(purpose === 'email-change' ? changeAgain : undoAgain)
  return `<p>${advice}</p>\n${addressForm(locale, resetLink.action, { wrong, target: RESET_PAGE })}`
}

/** The page's own address without the token: a mangled one would be refused again. */
const THIS_PAGE = '?'
/** The page of this service that sets a new password, and mails a link to a reader without one. */
const RESET_PAGE = '/reset-password'

function addressForm(
  locale: Locale,
  action: string,
  { wrong, target }: { wrong?: string | undefined; target?: string } = {},
): string {
  const label = escapeHtml(pageWordsIn(locale).email)
  const invalid = wrong === undefined ? '' : ' aria-invalid="true" aria-describedby="wrong"'
  return `<form method="post"${target === undefined ? '' : ` action="${target}"`}>
<p><label for="email">${label}</label><input type="email" id="email" name="email" dir="ltr" autocomplete="email" required${invalid}></p>
${wrongLine(wrong)}<button class="second">${escapeHtml(action)}</button></form>`
}
