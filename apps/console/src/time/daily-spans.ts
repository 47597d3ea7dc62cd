import { locale } from '../text/language.ts'
import { clockMinutes } from './site-time.ts'
import { spanText } from './time-text.ts'

type Span = { from: string; until: string | null }

const dayMs = 86_400_000

/**
 * Periods in words, in their order: the same hours on consecutive days are one, `Mon 30 Nov – Fri 4 Dec, 08:00–18:00`, of
 * `count` periods. Nights stay apart, because two of them would read as one long period.
 */
export function dailySpans(spans: readonly Span[], timeZone: string): { words: string; count: number }[] {
  const runs: Span[][] = []
  for (const span of spans) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run && last && isNextDay(last, { span, timeZone })) run.push(span)
    else runs.push([span])
  }
  return runs.map((run) => ({ words: wordsOf(run, timeZone), count: run.length }))
}

function isNextDay(last: Span, { span, timeZone }: { span: Span; timeZone: string }) {
  if (last.until === null || span.until === null) return false
  const clock = (iso: string) => clockMinutes(iso, timeZone)
  const day = (iso: string) => localDay(iso, timeZone)
  return (
    clock(last.from) === clock(span.from) &&
    clock(last.until) === clock(span.until) &&
    day(last.until) === day(last.from) &&
    day(span.until) === day(span.from) &&
    day(span.from) === day(last.from) + 1
  )
}

function localDay(iso: string, timeZone: string) {
  return Date.parse(new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date(iso))) / dayMs
}

function wordsOf(run: readonly Span[], timeZone: string) {
  const [first, last] = [run[0], run.at(-1)]
  if (!first || !last) return ''
  if (first === last || first.until === null) return spanText(first, timeZone)
  const days = new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short', day: 'numeric', month: 'short' })
  const hours = `${clockMinutes(first.from, timeZone)}–${clockMinutes(first.until, timeZone)}`
  return `${days.formatRange(new Date(first.from), new Date(last.from))}, ${hours}`
}
