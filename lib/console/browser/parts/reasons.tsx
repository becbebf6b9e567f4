import type { Schema } from '../api/schemas.ts'
import { useKeys } from '../app/keys.ts'
import { codes, words } from '../words/words.ts'
import { Area, Chips } from './form.tsx'

type ReasonsProps<T extends string> = {
  options: readonly (readonly [T, string])[]
  chosen: readonly T[]
  set: (chosen: T[]) => void
}

/** The number of reasons with a key: one digit each. */
const NUMBERED = 9

/** The reasons of a decision. The keys 1 to 9 choose the first nine. */
export function Reasons<T extends string>({ options, chosen, set }: ReasonsProps<T>) {
  useKeys(
    options.slice(0, NUMBERED).map(([reason, text], index) => ({
      keys: `${index + 1}`,
      does: text,
      run: () =>
        set(chosen.includes(reason) ? chosen.filter((other) => other !== reason) : [...chosen, reason]),
    })),
  )
  return (
    <Chips label={words.decision.reasons} options={options} chosen={chosen} set={set} numbered={NUMBERED} />
  )
}

/** Puts the focus on the first reason once the reasons are drawn. */
export const focusReasons = (): void =>
  void requestAnimationFrame(() => document.querySelector<HTMLElement>('.pinned .chips input')?.focus())

type MessageProps = {
  value: string
  set: (value: string) => void
  locale: Schema<'Locale'>
  /** The ready sentences for the reasons that are chosen; undefined where no reasons are asked for. */
  sentences: string | undefined
}

/** The message to the person. The key `i` adds the ready sentences, unless the message has them already. */
export function Message({ value, set, locale, sentences }: MessageProps) {
  const insert = () => {
    if (sentences && !value.includes(sentences)) set([value, sentences].filter(Boolean).join('\n'))
  }
  useKeys(sentences ? [{ keys: 'i', does: words.decision.ready, run: insert }] : [])
  return (
    <Area
      label={words.decision.message}
      value={value}
      set={set}
      lang={locale}
      aside={
        sentences !== undefined && (
          <button
            type="button"
            class="plain"
            disabled={sentences === ''}
            title={words.decision.readyIn(codes.language[locale])}
            onClick={insert}
          >
            {words.decision.ready} <kbd>i</kbd>
          </button>
        )
      }
    />
  )
}

/** Says what a refusal lacks before it can be sent. */
export const ReasonMissing = () => (
  <p class="notice bad" role="alert">
    {words.decision.needsReason}
  </p>
)
