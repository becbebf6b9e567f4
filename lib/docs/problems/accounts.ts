import type { Explanation } from './explanation.ts'

/** Problems of accounts, sessions and identities. */
export const ACCOUNT_PROBLEMS = {
  weak_password: {
    when: 'The new password is too short, common or leaked, also with digits or signs around it, or made of the person’s own name or e-mail.',
    remedy: 'Ask for another; several unrelated words do well. `detail` says which rule it broke.',
  },
  invalid_token: {
    when: 'The token of a mailed link is used, expired or unknown, a newer link has replaced it, or the session that asked for the change of address has ended.',
    remedy:
      'Offer to mail a new link. A link works once; one that verifies an address works until it expires.',
  },
  invalid_credentials: {
    when: 'The e-mail is unknown or the password is wrong; the two are not told apart.',
    remedy: 'Let the person try again or reset the password. Failed attempts are counted.',
  },
  second_factor_required: {
    when: 'The password is right, and the account has a second factor. There is no session yet.',
    remedy:
      'Ask for one of `methods`, and send it with `challenge` to `POST /auth/login/second-factor` within ten minutes. `passkeyOptions` goes to `navigator.credentials.get`.',
  },
  invalid_second_factor: {
    when: 'The code or passkey is wrong or was used before, or the challenge is spent, void or older than ten minutes.',
    remedy:
      'Ask again; after five wrong answers sign in from the start. A code works once: wait for the next.',
  },
  step_up_required: {
    when: 'The action needs a recent proof of who is calling: of a user within 15 minutes, with a second factor if the account has one, and since a factor was last added or removed; of an administrator a recent sign-in.',
    remedy:
      'A user proves it with one of `methods` at `POST /auth/step-up` and repeats the request with the token from there. An administrator signs in again; a machine cannot.',
  },
  invalid_code: {
    when: 'The six digits do not belong to the authenticator that is being set up, or the telephone’s clock is wrong.',
    remedy: 'Ask for the present code. The set-up stays open for ten minutes.',
  },
  invalid_passkey: {
    when: 'The new passkey does not answer its challenge, did not verify its user, is registered already, or comes with an attestation that names certificates. A challenge is good for one attempt.',
    remedy: 'Begin again with `POST /auth/passkeys/options`.',
  },
  second_factor_exists: {
    when: 'The account has an authenticator app already.',
    remedy: 'Remove it first with `DELETE /auth/second-factor/totp`.',
  },
  second_factor_missing: {
    when: 'The account has no second factor, or its set-up was not begun or has expired.',
    remedy: 'Begin with `POST /auth/second-factor/totp` or `POST /auth/passkeys/options`.',
  },
  passkey_limit_reached: {
    when: 'The account has ten passkeys already.',
    remedy: 'Let the person remove one first.',
  },
  api_key_limit_reached: {
    when: 'The agent has ten API keys already, expired ones counted.',
    remedy: 'Delete one first.',
  },
  invalid_refresh_token: {
    when: 'The refresh token is unknown or expired, its session was ended, or it was used again long after it was spent, which ends the session.',
    remedy: 'Let the person sign in again. Store each new refresh token before the old one is thrown away.',
  },
  second_person_needed: {
    when: 'The sum is above what one administrator may decide, and the same administrator asked for it.',
    remedy: 'Have another administrator approve it.',
  },
  agent_profile_required: {
    when: 'The caller has no agent profile, and only agents may do this.',
    remedy: 'Make one with `PUT /auth/profile/agent`. It counts at once, with the token in hand.',
  },
  agent_profile_not_found: {
    when: 'The caller has not made an agent profile yet.',
    remedy: 'Show the form that makes one: `PUT /auth/profile/agent`.',
  },
  account_banned: {
    when: 'The password or passkey is right, and an administrator has banned the account.',
    remedy: 'Tell the person to write to support. Repeating does not help.',
  },
  email_not_verified: {
    when: 'The action needs a verified e-mail: documents, media, handing a listing in, an enquiry, or a payment that is confirmed on a telephone.',
    remedy:
      'Send the link with `POST /auth/email/verification`, and repeat the request once the person has opened it.',
  },
  email_taken: {
    when: 'An account with this e-mail exists, whatever its upper and lower case.',
    remedy: 'Offer to sign in or to reset the password.',
  },
  identity_verified: {
    when: 'A verified person changes `name`, or a verified agent `displayName`, `agency` or `licenseNumber`.',
    remedy:
      'Leave these fields as they are. An administrator can open them by deciding on the identity again.',
  },
  in_review: {
    when: 'The identity waits for an administrator, and the change touches what is reviewed; or a review that an administrator opened was to be withdrawn.',
    remedy: 'Wait for the decision, or take the new documents back with `POST /auth/kyc/withdraw`.',
  },
  kyc_transition_not_allowed: {
    when: 'The KYC status does not lead to the one that was asked for; `allowed` lists those it leads to.',
    remedy: 'Read the person again with `GET /admin/kyc/{userId}` and choose one of `allowed`.',
  },
  document_limit_reached: {
    when: 'The person has handed in 50 documents.',
    remedy: 'Wait for a decision on those that are there.',
  },
  payments_open: {
    when: 'An account is to be deleted while money of theirs, or on their listings, is on its way; `paymentIds` names the payments.',
    remedy: 'Cancel those that are PENDING, wait for the others, and delete the account then.',
  },
} satisfies Record<string, Explanation>
