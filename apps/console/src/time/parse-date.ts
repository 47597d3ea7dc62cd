import { locale } from '../text/language.ts'

type Field = 'day' | 'month' | 'year'

const numeric = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: '2-digit', month: '2-digit', year: 'numeric' })
const monthNames = (['long', 'short'] as const).map((month) => {
  const format = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month })
  return Array.from({ length: 12 }, (_, index) => {
    const parts = format.formatToParts(Date.UTC(2026, index, 1))
    return (
      parts
        .find(({ type }) => type === 'month')
        ?.value.toLocaleLowerCase(locale)
        .replace(/\.$/, '') ?? ''
    )
  })
})

/** The order of a date's fields in the language: day, month and year in Europe. */
export const fieldOrder: readonly Field[] = numeric
  .formatToParts(0)
  .map(({ type }) => type)
  .filter((type) => type === 'day' || type === 'month' || type === 'year')

/** `20/11/2026`, as the language writes it, from a civil date such as `2026-11-20`; any other text is returned unchanged. */
export function dateText(date: string): string {
  const at = Date.parse(`${date.slice(0, 10)}T00:00:00Z`)
  return Number.isNaN(at) ? date : numeric.format(at)
}

/**
 * The civil date that a user typed, as `2026-11-20`; null where there is none. Understands the order of the language with any
 * separators, two digits for a year of this century, a missing year (this one), names of months, and `2026-11-20`.
 */
export function parseDate(typed: string, now: Date = new Date()): string | null {
  const words =
    typed
      .trim()
      .toLocaleLowerCase(locale)
      .match(/\p{L}+|\d+/gu) ?? []
  const numbers = words.filter((word) => /^\d/.test(word)).map(Number)
  if (/^\d{4}$/.test(words[0] ?? '')) return civil({ year: numbers[0], month: numbers[1], day: numbers[2] })
  const named = words.map(monthOf).find((month) => month !== undefined)
  const order = fieldOrder.filter((field) => named === undefined || field !== 'month')
  const isWithoutYear = numbers.length === order.length - 1
  const given = isWithoutYear ? order.filter((field) => field !== 'year') : order
  if (numbers.length !== given.length) return null
  const values = Object.fromEntries(given.map((field, index) => [field, numbers[index]]))
  return civil({ year: now.getFullYear(), month: named, ...values })
}

function monthOf(word: string) {
  if (!/^\p{L}{3,}$/u.test(word)) return undefined
  for (const names of monthNames) {
    const index = names.findIndex((name) => name.startsWith(word) || word.startsWith(name))
    if (index >= 0) return index + 1
  }
  return undefined
}

function civil({ year, month, day }: Partial<Record<Field, number | undefined>>): string | null {
  if (year === undefined || month === undefined || day === undefined) return null
  const fullYear = year < 100 ? 2000 + year : year
  if (fullYear < 1000 || fullYear > 9999) return null
  const date = new Date(Date.UTC(fullYear, month - 1, day))
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal ? date.toISOString().slice(0, 10) : null
}
