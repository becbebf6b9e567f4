import type { Locale } from '#lib/kernel/locale'
import { escapeHtml } from '#lib/mail/html'
import type { LinkPurpose } from '#lib/mail/mail-request'
import { page } from '#lib/mail/page'
import { mailWordsIn } from '#lib/mail/words/words-in'

/**
 * The page that a mailed link opens where no front end is configured. Opening it changes nothing; its button posts the
 * token of its own address.
 */
export function linkPage(purpose: LinkPurpose, locale: Locale): string {
  const words = mailWordsIn(locale)
  const { title, text, action } = words.links[purpose]({ lifetime: '' })
  const label = escapeHtml(words.newPassword)
  const field =
    purpose === 'password-reset'
      ? `<p><label>${label}<br><input type="password" name="newPassword" autocomplete="new-password" required></label></p>`
      : ''
  const form = `<form method="post">${field}<button>${escapeHtml(action)}</button></form>`
  return page(locale, escapeHtml(title), `<p>${escapeHtml(text)}</p>\n${form}`)
}

/** The page that says that a mailed link has done what it is for. */
export function donePage(purpose: LinkPurpose, locale: Locale): string {
  const words = mailWordsIn(locale)
  const { title } = words.links[purpose]({ lifetime: '' })
  return page(locale, escapeHtml(title), `<p>${escapeHtml(words.done)}</p>`)
}
