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
  return isDate(date) ? numeric.format(Date.parse(`${date}T00:00:00Z`)) : date
}

/** Whether a text is a civil date such as `2026-11-20`. */
export function isDate(value: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? []
  return civil({ year, month, day }) !== null
}

/**
 * The civil date that a user typed, as `2026-11-20`; null where there is none. Understands the order of the language with any
 * separators, two digits for a year of this century, a missing year (this one), names of months, and `2026-11-20`.
 */
export function parseDate(typed: string, now: Date = new Date()): string | null {
  const line = typed.trim().toLocaleLowerCase(locale)
  const [, firstYear, secondMonth, lastDay] = /^(\d{4})[^\p{L}\d](\d{1,2})[^\p{L}\d](\d{1,2})$/u.exec(line) ?? []
  if (firstYear !== undefined) return civil({ year: firstYear, month: secondMonth, day: lastDay })
  const words = line.match(/\p{L}+|\d+/gu) ?? []
  const numbers = words.filter((word) => /^\d/.test(word))
  // The last: a weekday before it may begin like a month.
  const named = words.map(monthOf).findLast((month) => month !== undefined)
  const order = fieldOrder.filter((field) => named === undefined || field !== 'month')
  const isWithoutYear = numbers.length === order.length - 1
  const given = isWithoutYear ? order.filter((field) => field !== 'year') : order
  if (numbers.length !== given.length) return null
  const values = Object.fromEntries(given.map((field, index) => [field, numbers[index]]))
  return civil({ year: `${now.getFullYear()}`, month: named, ...values })
}

function monthOf(word: string) {
  if (!/^\p{L}{3,}$/u.test(word)) return undefined
  for (const names of monthNames) {
    const index = names.findIndex((name) => name.startsWith(word))
    if (index >= 0) return `${index + 1}`
  }
  return undefined
}

function civil({ year, month, day }: Partial<Record<Field, string | undefined>>): string | null {
  if (year === undefined || month === undefined || day === undefined) return null
  if (!/^(\d{2}|[1-9]\d{3})$/.test(year)) return null
  const date = new Date(Date.UTC(Number(year.padStart(4, '20')), Number(month) - 1, Number(day)))
  const isReal = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
  return isReal ? date.toISOString().slice(0, 10) : null
}
