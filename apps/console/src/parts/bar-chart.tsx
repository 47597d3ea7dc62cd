import { Tooltip, VisuallyHidden } from '@mantine/core'
import { decimal } from '../text/catalogue.ts'
import styles from './bar-chart.module.css'

export type Bar = {
  key: string
  /** Under the bar; bars without one stand between the marks. */
  mark?: string
  /** The whole name of the bar, for the hint and for screen readers. */
  name: string
  /** From the bottom up, in the order of `series`. */
  values: readonly number[]
}

export type Series = { label: string; tone: 'plain' | 'ok' | 'no' | 'warn' }

const height = 96
const gap = 0.22

/** Counts as stacked bars; the same as a table for who can't see them. The caller names the whole. */
export function BarChart({ label, series, bars }: { label: string; series: readonly Series[]; bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ values }) => sum(values)))
  return (
    <figure className={styles.chart} aria-label={label}>
      <div className={styles.plot} aria-hidden="true">
        <span className={styles.most}>{decimal.format(most)}</span>
        <svg viewBox={`0 0 ${bars.length} ${height}`} preserveAspectRatio="none" className={styles.bars}>
          {bars.map((bar, index) => (
            <Tooltip key={bar.key} label={inWords(bar, series)} withinPortal openDelay={80}>
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
      </figcaption>
      {/* A table keeps its width; what stands around it hides it. */}
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
            </tr>
          </thead>
          <tbody>
            {bars.map(({ key, name, values }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                {series.map(({ label: words }, level) => (
                  <td key={words}>{decimal.format(values[level] ?? 0)}</td>
                ))}
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

function inWords({ name, values }: Bar, series: readonly Series[]) {
  const counts = series.map(({ label }, level) => `${label} ${decimal.format(values[level] ?? 0)}`)
  return `${name}: ${counts.join(', ')}`
}

function sum(values: readonly number[]) {
  return values.reduce((total, value) => total + value, 0)
}
