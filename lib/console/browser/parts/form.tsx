import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { asRefusal, type Refusal } from '../api/refusal.ts'
import { refusalOf } from '../app/held.ts'
import { Failed } from './states.tsx'

type InputProps = {
  label: string
  value: string
  set: (value: string) => void
  type?: 'text' | 'date' | 'datetime-local' | 'url' | 'search' | 'number'
  /** The highest number. */
  max?: number | undefined
  hint?: string | undefined
  isRequired?: boolean
}

/** One line of text with its label. */
export function Input({ label, value, set, type = 'text', max, hint, isRequired = false }: InputProps) {
  const id = useId()
  const props = {
    id,
    value,
    required: isRequired,
    maxLength: 1000,
    dir: 'auto' as const,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => set(currentTarget.value),
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {/* One element for each type: Preact's types take no variable as the type of an input. */}
      {type === 'text' && <input type="text" {...props} />}
      {type === 'date' && <input type="date" {...props} />}
      {type === 'datetime-local' && <input type="datetime-local" {...props} />}
      {type === 'url' && <input type="url" {...props} />}
      {type === 'number' && <input type="number" min={0} max={max} step={1} {...props} />}
      {type === 'search' && <input type="search" {...props} />}
      {hint !== undefined && <span class="quiet">{hint}</span>}
    </div>
  )
}

type AreaProps = {
  label: string
  value: string
  set: (value: string) => void
  aside?: ComponentChildren
  lang?: string | undefined
}

/** Several lines of text with their label. */
export function Area({ label, value, set, aside, lang }: AreaProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={3}
        maxLength={1000}
        value={value}
        dir="auto"
        lang={lang}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
      {aside}
    </div>
  )
}

type SelectProps<T extends string> = {
  label: string
  value: T
  options: readonly (readonly [T, string])[]
  set: (value: T) => void
  isRequired?: boolean
}

/** One of several values. */
export function Select<T extends string>({ label, value, options, set, isRequired = false }: SelectProps<T>) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        required={isRequired}
        onChange={({ currentTarget }) => {
          const [chosen] = options.find(([option]) => option === currentTarget.value) ?? []
          if (chosen !== undefined) set(chosen)
        }}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

type ChipsProps<T extends string> = {
  label: string
  options: readonly (readonly [T, string])[]
  chosen: readonly T[]
  set: (chosen: T[]) => void
  /** The number of options, from the first on, that show the digit of their key. */
  numbered?: number
}

/** Any of several values. */
export const Chips = <T extends string>({ label, options, chosen, set, numbered = 0 }: ChipsProps<T>) => (
  <fieldset class="chips">
    <legend>{label}</legend>
    {options.map(([option, text], index) => (
      <label key={option}>
        <input
          type="checkbox"
          checked={chosen.includes(option)}
          onChange={({ currentTarget }) =>
            set(currentTarget.checked ? [...chosen, option] : chosen.filter((other) => other !== option))
          }
        />
        <span>
          {index < numbered && <kbd>{index + 1}</kbd>} {text}
        </span>
      </label>
    ))}
  </fieldset>
)

/** The sending of a form: whether it is under way, and why the last one was refused. */
type Sending = {
  isBusy: boolean
  failure: Refusal | undefined
  send: (act: () => Promise<void>) => void
}

/** Sends a form once at a time, and keeps the refusal of the last sending. */
export function useSending(): Sending {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Refusal | undefined>(undefined)
  const send = (act: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    setFailure(undefined)
    act()
      .catch((thrown: unknown) => setFailure(asRefusal(thrown)))
      .finally(() => setBusy(false))
  }
  return { isBusy, failure, send }
}

/** The refusal of a form: of the form itself, or of the last decision on `subject`, which is sent some seconds later. */
export const SendingFailed = ({ of, subject }: { of: Sending; subject?: string }) => {
  const failure = of.failure ?? (subject === undefined ? undefined : refusalOf(subject))
  return failure ? <Failed failure={failure} /> : null
}
