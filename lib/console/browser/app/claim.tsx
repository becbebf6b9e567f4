import { useEffect, useRef, useState } from 'preact/hooks'
import { api, read } from '../api/client.ts'
import { asRefusal } from '../api/refusal.ts'
import { hour } from '../parts/format.ts'
import { administrator, mayDo } from '../session/session.ts'
import { words } from '../words/words.ts'
import { say, sayRefused } from './toasts.tsx'

/** A claim lasts ten minutes, so it is renewed well before. */
const PROLONGED_EVERY_MILLISECONDS = 4 * 60_000

type Held = { by: string; until: string } | undefined

/**
 * Claims a subject while its page is open, and shows who else holds the claim. A claim locks nothing. It is released when
 * the page is left, or by the reader's button. An auditor, who may change nothing, claims nothing.
 */
export const Claim = ({ subject }: { subject: string }) => (mayDo() ? <OwnClaim subject={subject} /> : null)

function OwnClaim({ subject }: { subject: string }) {
  const [held, setHeld] = useState<Held>(undefined)
  const [isWanted, setWanted] = useState(true)
  // Each request waits for the one before: a release that overtook a claim would leave the claim to its end.
  const requests = useRef<Promise<unknown>>(Promise.resolve())

  useEffect(() => {
    if (!isWanted) return
    let isReleased = false
    const claim = () => {
      requests.current = requests.current
        .then(() => claimSubject(subject))
        .then((now) => {
          if (!isReleased) setHeld(now)
        })
        .catch(sayRefused)
    }
    claim()
    const timer = setInterval(claim, PROLONGED_EVERY_MILLISECONDS)
    return () => {
      isReleased = true
      clearInterval(timer)
      requests.current = requests.current.then(() => releaseSubject(subject))
    }
  }, [subject, isWanted])

  const release = () => {
    setWanted(false)
    setHeld(undefined)
    say(words.claim.released, {
      // Resolves to true: a release can always be undone.
      undo: async () => {
        setWanted(true)
        return true
      },
    })
  }
  if (held === undefined)
    return isWanted ? null : (
      <button type="button" onClick={() => setWanted(true)}>
        {words.claim.claim}
      </button>
    )
  return held.by === administrator.value ? (
    <span class="claim">
      {words.claim.mine(hour(held.until))}
      <button type="button" class="plain" onClick={release}>
        {words.claim.release}
      </button>
    </span>
  ) : (
    <span class="claim taken" role="status">
      {words.claim.taken(held.by, hour(held.until))}
    </span>
  )
}

/** Claims a subject for the reader. Returns who holds it now. */
async function claimSubject(subject: string): Promise<Held> {
  try {
    return await read(api.PUT('/admin/claims/{subject}', { params: { path: { subject } } }))
  } catch (thrown) {
    const { code, by, until } = asRefusal(thrown).problem
    if (code === 'already_claimed' && by !== undefined && until !== undefined) return { by, until }
    // The page itself shows that it is offline; the timer claims again.
    if (code === 'offline') return undefined
    throw thrown
  }
}

/** Releases a claim; a claim that cannot be released expires. */
const releaseSubject = (subject: string): Promise<unknown> =>
  read(api.DELETE('/admin/claims/{subject}', { params: { path: { subject } }, keepalive: true })).catch(
    () => undefined,
  )
