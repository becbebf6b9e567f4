import { useState } from 'preact/hooks'
import type { Schema } from '../api/schemas.ts'
import { useDraft } from '../app/drafts.ts'
import { seenBeforeConflict, sendUnlessUndone } from '../app/held.ts'
import { focusButton, useKeys } from '../app/keys.ts'
import { goToNext } from '../app/queue.ts'
import { linkTo } from '../app/router.ts'
import { DecisionForm } from '../parts/decision-form.tsx'
import { type DecisionMessages, editedMessage, messageFor } from '../parts/decision-messages.ts'
import { differencesBetween } from '../parts/differences.tsx'
import { Area, Input, Select } from '../parts/form.tsx'
import { focusReasons, Message, ReasonMissing, Reasons } from '../parts/reasons.tsx'
import { codes, identitySentences, kycReasons, words } from '../words/words.ts'
import { fieldsOf, Meanwhile } from './meanwhile.tsx'

type Review = Schema<'KycReview'>
type KycStatus = Schema<'KycStatus'>

/** The statuses that may follow each status. */
const NEXT: Record<KycStatus, readonly KycStatus[]> = {
  UNVERIFIED: ['VERIFIED', 'REJECTED', 'PENDING'],
  PENDING: ['VERIFIED', 'REJECTED', 'UNVERIFIED'],
  VERIFIED: ['PENDING', 'REJECTED', 'EXPIRED'],
  REJECTED: ['VERIFIED', 'PENDING'],
  EXPIRED: ['VERIFIED', 'REJECTED', 'PENDING'],
}

type Draft = DecisionMessages & {
  status: KycStatus | ''
  reasons: Schema<'KycReason'>[]
  note: string
  expiresAt: string
}
const EMPTY: Draft = { status: '', reasons: [], message: '', note: '', expiresAt: '' }

type Props = { review: Review; etag: string | undefined }

/**
 * The form to decide on a person's identity. If another changed the person meanwhile, the decision is refused, and the
 * form shows the differences.
 */
export function IdentityDecision({ review, etag }: Props) {
  const { userId, kycStatus, waitingSince, user } = review
  const key = `identity ${userId}`
  const [draft, setDraft] = useDraft<Draft>(key, EMPTY)
  const [isReasonMissing, setReasonMissing] = useState(false)
  // What the reader saw when a decision was refused for another's change; undefined without such a refusal.
  const seen = seenBeforeConflict(userId)
  // A person who waits for a decision may be given the same status again. PENDING itself decides nothing.
  const isSameAllowed = waitingSince !== null && kycStatus !== 'PENDING'
  const allowed = isSameAllowed ? [kycStatus, ...NEXT[kycStatus]] : NEXT[kycStatus]
  const status = allowed.find((one) => one === draft.status)
  const edit = (change: Partial<Draft>) => {
    setDraft({ ...draft, ...change })
    setReasonMissing(false)
  }
  const asksReasons = status !== undefined && status !== 'VERIFIED'
  const message = messageFor(asksReasons, draft)
  const choose = (chosen: KycStatus | '') => {
    edit({ status: chosen })
    if (chosen === 'REJECTED') focusReasons()
  }
  const chooseByKey = (chosen: KycStatus) => {
    if (!allowed.includes(chosen)) return
    choose(chosen)
    if (chosen !== 'REJECTED') focusButton('decide')
  }
  useKeys([
    { keys: 'v', does: codes.kycStatus.VERIFIED, run: () => chooseByKey('VERIFIED') },
    { keys: 'x', does: codes.kycStatus.REJECTED, run: () => chooseByKey('REJECTED') },
  ])

  const decide = () => {
    if (status === 'REJECTED' && draft.reasons.length === 0 && message.trim() === '')
      return setReasonMissing(true)
    if (status === undefined) return
    const body = {
      userId,
      kycStatus: status,
      reasons: asksReasons ? draft.reasons : [],
      message: message.trim() || null,
      note: draft.note.trim() || null,
      ...(status === 'VERIFIED' && draft.expiresAt && { expiresAt: `${draft.expiresAt}T23:59:59Z` }),
    } satisfies Schema<'SetKycStatusBody'>
    sendUnlessUndone({
      subject: userId,
      text: `${user.name ?? user.email}: ${codes.kycStatus[status]}`,
      link: linkTo('identities', userId),
      change: { path: '/auth/kyc', body, etag },
      draft: key,
      staleKeys: [key, 'identities', `person ${userId}`],
      seen: fieldsOf(review),
    })
    goToNext('identities', userId)
  }

  return (
    <DecisionForm
      decide={decide}
      bar={
        <>
          {isReasonMissing && <ReasonMissing />}
          <Select<KycStatus | ''>
            label={words.common.status}
            value={status ?? ''}
            options={[['', '–'], ...allowed.map((one) => [one, codes.kycStatus[one]] as const)]}
            set={choose}
            isRequired
          />
          <button type="submit" data-key="decide" class={status === 'REJECTED' ? 'danger' : 'primary'}>
            {words.decision.decide(status === undefined ? '–' : codes.kycStatus[status])} <kbd>↵</kbd>
          </button>
        </>
      }
    >
      {seen && <Meanwhile of={differencesBetween(seen, fieldsOf(review))} />}
      {status === 'VERIFIED' && (
        <Input
          label={words.decision.expiresAt}
          type="date"
          value={draft.expiresAt}
          set={(expiresAt) => edit({ expiresAt })}
        />
      )}
      {asksReasons && (
        <Reasons options={kycReasons} chosen={draft.reasons} set={(reasons) => edit({ reasons })} />
      )}
      <Message
        value={message}
        set={(written) => edit(editedMessage(asksReasons, written))}
        locale={user.locale}
        sentences={asksReasons ? identitySentences(user.locale, draft.reasons) : undefined}
      />
      <Area label={words.decision.note} value={draft.note} set={(note) => edit({ note })} />
    </DecisionForm>
  )
}
