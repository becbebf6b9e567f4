import { api, read } from '../api/client.ts'
import { asRefusal } from '../api/refusal.ts'
import type { Schema } from '../api/schemas.ts'
import { useDraft } from '../app/drafts.ts'
import { focusButton, useKeys } from '../app/keys.ts'
import { goToNext } from '../app/queue.ts'
import { say } from '../app/toasts.tsx'
import { Area, Chips, Input, Select, SendingFailed, useSending } from '../parts/form.tsx'
import { codes, identitySentences, kycReasons, words } from '../words/words.ts'
import { Meanwhile, useMeanwhile } from './meanwhile.tsx'

type Review = Schema<'KycReview'>
type KycStatus = Schema<'KycStatus'>

/** Which status may follow which; for someone who waits, the same again is a new decision. */
const NEXT: Record<KycStatus, readonly KycStatus[]> = {
  UNVERIFIED: ['VERIFIED', 'REJECTED', 'PENDING'],
  PENDING: ['VERIFIED', 'REJECTED', 'UNVERIFIED'],
  VERIFIED: ['PENDING', 'REJECTED', 'EXPIRED'],
  REJECTED: ['VERIFIED', 'PENDING'],
  EXPIRED: ['VERIFIED', 'REJECTED', 'PENDING'],
}

type Draft = {
  status: KycStatus | ''
  reasons: Schema<'KycReason'>[]
  message: string
  note: string
  expiresAt: string
}
const EMPTY: Draft = { status: '', reasons: [], message: '', note: '', expiresAt: '' }

type Props = { review: Review; etag: string | undefined; reload: () => Promise<void> }

/** The decision on a person's identity. What changed since it was read is shown, and nothing is overwritten. */
export function IdentityDecision({ review, etag, reload }: Props) {
  const { userId, kycStatus, waitingSince, user } = review
  const [draft, setDraft, clear] = useDraft<Draft>(`identity ${userId}`, EMPTY)
  const sending = useSending()
  const meanwhile = useMeanwhile(review)
  const allowed = [...(waitingSince === null ? [] : [kycStatus]), ...NEXT[kycStatus]].filter(
    (status, index, all) =>
      all.indexOf(status) === index && !(status === 'PENDING' && kycStatus === 'PENDING'),
  )
  const status = allowed.find((one) => one === draft.status)
  const edit = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const choose = (chosen: KycStatus) => {
    if (!allowed.includes(chosen)) return
    edit({ status: chosen })
    focusButton('decide')
  }
  useKeys([
    { keys: 'v', does: codes.kycStatus.VERIFIED, run: () => choose('VERIFIED') },
    { keys: 'x', does: codes.kycStatus.REJECTED, run: () => choose('REJECTED') },
  ])

  const decide = () =>
    sending.send(async () => {
      if (status === undefined) return
      try {
        await read(
          api.PATCH('/auth/kyc', {
            params: { header: { 'If-Match': etag } },
            body: {
              userId,
              kycStatus: status,
              reasons: draft.reasons,
              message: draft.message.trim() || null,
              note: draft.note.trim() || null,
              ...(status === 'VERIFIED' && draft.expiresAt && { expiresAt: `${draft.expiresAt}T23:59:59Z` }),
            },
          }),
        )
      } catch (thrown) {
        if (asRefusal(thrown).problem.code === 'version_conflict') {
          meanwhile.begin()
          await reload()
        }
        throw thrown
      }
      clear()
      say(`${user.name ?? user.email}: ${codes.kycStatus[status]}`)
      goToNext('identities', userId)
    })

  return (
    <form
      class="decision"
      aria-label={words.decision.title}
      onSubmit={(event) => {
        event.preventDefault()
        decide()
      }}
    >
      <h2>{words.decision.title}</h2>
      {meanwhile.differences && <Meanwhile of={meanwhile.differences} />}
      <Select<KycStatus | ''>
        label={words.common.status}
        value={status ?? ''}
        options={[['', '–'], ...allowed.map((one) => [one, codes.kycStatus[one]] as const)]}
        set={(chosen) => edit({ status: chosen })}
        isRequired
      />
      {status === 'VERIFIED' ? (
        <Input
          label={words.decision.expiresAt}
          type="date"
          value={draft.expiresAt}
          set={(expiresAt) => edit({ expiresAt })}
        />
      ) : (
        <Chips
          label={words.decision.reasons}
          options={kycReasons}
          chosen={draft.reasons}
          set={(reasons) => edit({ reasons })}
        />
      )}
      <Area
        label={words.decision.message}
        value={draft.message}
        set={(message) => edit({ message })}
        lang={user.locale}
        aside={
          <button
            type="button"
            class="plain"
            disabled={draft.reasons.length === 0}
            title={words.decision.readyIn(codes.language[user.locale])}
            onClick={() =>
              edit({
                message: [draft.message, identitySentences(user.locale, draft.reasons)]
                  .filter(Boolean)
                  .join('\n'),
              })
            }
          >
            {words.decision.ready}
          </button>
        }
      />
      <Area label={words.decision.note} value={draft.note} set={(note) => edit({ note })} />
      <SendingFailed of={sending} />
      <div class="buttons">
        <button
          type="submit"
          data-key="decide"
          class={status === 'REJECTED' ? 'danger' : 'primary'}
          disabled={sending.isBusy}
        >
          {words.decision.decide(status === undefined ? '–' : codes.kycStatus[status])} <kbd>↵</kbd>
        </button>
      </div>
    </form>
  )
}
