import { dayInUtc } from '../parts/format.ts'
import { words } from '../words/words.ts'

type Bar = { date: string; value: number }

type Props = {
  label: string
  /** One a day, oldest first; the last is today. */
  bars: readonly Bar[]
  textOf: (value: number) => string
  /** Where every bar leads, if anywhere. */
  link?: string
}

const HEIGHT = 56
const WIDTH = 22
const GAP = 6

/** One bar a day, with the value on hover and in the text for screen readers. */
export function Bars({ label, bars, textOf, link }: Props) {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const dayText = (date: string, index: number) =>
    index === bars.length - 1 ? words.home.today : dayInUtc(date)
  const spoken = [
    label,
    ...bars.map(({ date, value }, index) => `${dayText(date, index)}: ${textOf(value)}`),
  ].join('. ')
  const chart = (
    <>
      <svg viewBox={`0 0 ${bars.length * (WIDTH + GAP)} ${HEIGHT + 1}`} role="img" aria-label={spoken}>
        {bars.map(({ date, value }, index) => {
          // 0 is a thin line, from which any other value stands out.
          const height = value === 0 ? 1 : Math.max(3, (value / most) * HEIGHT)
          return (
            <rect
              key={date}
              class={index === bars.length - 1 ? 'today' : ''}
              x={index * (WIDTH + GAP)}
              y={HEIGHT - height}
              width={WIDTH}
              height={height}
              rx={2}
            >
              <title>
                {dayText(date, index)}: {textOf(value)}
              </title>
            </rect>
          )
        })}
      </svg>
      <span class="days" aria-hidden="true">
        <span>{bars[0] && dayInUtc(bars[0].date)}</span>
        <span>{words.home.today}</span>
      </span>
    </>
  )
  return link === undefined ? (
    <div class="bars">{chart}</div>
  ) : (
    <a class="bars" href={link}>
      {chart}
    </a>
  )
}
