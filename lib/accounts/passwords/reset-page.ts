import { askForResetPage, type FormState, linkPage } from '#lib/accounts/mailed-links/link-page'
import { escapeHtml, type HtmlPage } from '#lib/kernel/html'
import type { Locale } from '#lib/kernel/locale'
import type { Brand } from '#lib/pages/brand'
import { pageWordsIn } from '#lib/pages/words/words-in'
import { PASSWORD_MAX_LENGTH, weaknessIn } from './password-rule.ts'

type Deps = { brand: Brand; passwordMinLength: number }

/**
 * Makes the page that sets a new password. Its form posts to the page's address, which contains the token. Without a
 * token the page offers to mail a link.
 */
export function resetPage(
  { brand, passwordMinLength }: Deps,
  { token }: { token?: string | undefined },
  locale: Locale,
): HtmlPage {
  const setting = { locale, brand }
  if (token === undefined) return askForResetPage(setting)
  return linkPage('password-reset', setting, passwordForm(locale, passwordMinLength))
}

type Refused = { errors: readonly { path: string; message: string }[] }

/** Makes the field for a new password with its rule and the reason of a refusal. A password is never sent back. */
export function passwordForm(locale: Locale, min: number, { errors }: Refused = { errors: [] }): FormState {
  const { newPassword, passwordRule, weakPassword } = pageWordsIn(locale)
  const lengths = { min, max: PASSWORD_MAX_LENGTH }
  const fault = errors.find(({ path }) => path === 'newPassword')
  const sentences = { ...weakPassword, length: weakPassword.length(lengths) }
  const invalid = fault ? ' aria-invalid="true" autofocus' : ''
  // `wrong` is the id of the line that shows the reason.
  const describedBy = fault ? 'wrong rule' : 'rule'
  return {
    fields: `<label for="password">${escapeHtml(newPassword)}</label>
<p class="rule" id="rule">${escapeHtml(passwordRule(lengths))}</p>
<p><input type="password" id="password" name="newPassword" autocomplete="new-password" required aria-describedby="${describedBy}"${invalid}></p>`,
    wrong: fault && sentences[weaknessIn(fault.message)],
  }
}
