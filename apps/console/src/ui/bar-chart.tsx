import { Tooltip, VisuallyHidden } from '@mantine/core'
import { decimal, listOf } from '../text/catalogue.ts'
import styles from './bar-chart.module.css'

export type Bar = {
  key: string
  /** Under the bar; bars without one stand between the marks. */
  mark?: string
  /** The full name of the bar, for the tooltip and for screen readers. */
  name: string
  /** From the bottom up, in the order of `series`. */
  values: readonly number[]
  /** The usual value: a line across the bar. */
  expected?: number
}

export type Series = { label: string; tone: 'plain' | 'ok' | 'no' | 'warn' }

const height = 96
const gap = 0.22

type Props = {
  label: string
  series: readonly Series[]
  bars: readonly Bar[]
  /** The label of the lines across the bars, if there are any. */
  expected?: string
  size?: 'usual' | 'low'
}

/** Counts as stacked bars, and as a table for screen readers. The caller names the chart. */
export function BarChart({ label, series, bars, expected = '', size = 'usual' }: Props) {
  const most = Math.max(1, ...bars.map((bar) => Math.max(sum(bar.values), Math.ceil(bar.expected ?? 0))))
  const hasExpected = bars.some((bar) => bar.expected !== undefined)
  return (
    <figure className={styles.chart} aria-label={label} data-size={size}>
      <div className={styles.plot} aria-hidden="true">
        <span className={styles.most}>{decimal.format(most)}</span>
        <svg viewBox={`0 0 ${bars.length} ${height}`} preserveAspectRatio="none" className={styles.bars}>
          {bars.map((bar, index) => (
            <Tooltip key={bar.key} label={inWords(bar, { series, expected })} withinPortal openDelay={80}>
              <g>
                <rect className={styles.reach} x={index} y={0} width={1} height={height} />
                {stacked(bar.values, most).map(({ from, to }, level) => (
                  <rect
                    key={series[level]?.label ?? level}
                    data-tone={series[level]?.tone}
                    x={index + gap / 2}
                    width={1 - gap}
                    y={height - to}
                    height={to - from}
                  />
                ))}
                {bar.expected !== undefined && (
                  <line
                    className={styles.expected}
                    x1={index}
                    x2={index + 1}
                    y1={height - (bar.expected / most) * height}
                    y2={height - (bar.expected / most) * height}
                  />
                )}
              </g>
            </Tooltip>
          ))}
        </svg>
        <div className={styles.marks} style={{ gridTemplateColumns: `repeat(${bars.length}, minmax(0, 1fr))` }}>
          {bars.map(({ key, mark }) => (
            <span key={key}>{mark}</span>
          ))}
        </div>
      </div>
      <figcaption className={styles.legend} aria-hidden="true">
        {series.map(({ label: words, tone }) => (
          <span key={words} data-tone={tone}>
            {words}
          </span>
        ))}
        {hasExpected && <span data-tone="expected">{expected}</span>}
      </figcaption>
      {/* A table keeps its width, so its container hides it. */}
      <VisuallyHidden>
        <table>
          <thead>
            <tr>
              <th scope="col">{label}</th>
              {series.map(({ label: words }) => (
                <th key={words} scope="col">
                  {words}
                </th>
              ))}
              {hasExpected && <th scope="col">{expected}</th>}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ key, name, values, expected: usual }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                {series.map(({ label: words }, level) => (
                  <td key={words}>{decimal.format(values[level] ?? 0)}</td>
                ))}
                {hasExpected && <td>{usual === undefined ? '–' : rounded(usual)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  )
}

function stacked(values: readonly number[], most: number) {
  return values.map((value, level) => {
    const from = (sum(values.slice(0, level)) / most) * height
    return { from, to: from + (value / most) * height }
  })
}

function inWords(bar: Bar, { series, expected }: Required<Pick<Props, 'series' | 'expected'>>) {
  const counts = series.map(({ label }, level) => `${label} ${decimal.format(bar.values[level] ?? 0)}`)
  if (bar.expected !== undefined) counts.push(`${expected} ${rounded(bar.expected)}`)
  return `${bar.name}: ${listOf(counts)}`
}

function rounded(count: number) {
  return decimal.format(Math.round(count))
}

function sum(values: readonly number[]) {
  return values.reduce((total, value) => total + value, 0)
}
