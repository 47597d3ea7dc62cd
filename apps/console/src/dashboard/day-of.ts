import { locale } from '../text/language.ts'

const day = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' })
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long' })

/** The midnight before a moment, in the viewer's time zone; `days` later or, below zero, earlier. */
export function midnightOf(moment: Date, days = 0): Date {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate() + days)
}

/** `Friday 20 November` */
export function dayInWords(moment: Date): string {
  return day.format(moment)
}

/** `Friday` */
export function weekdayInWords(moment: Date): string {
  return weekday.format(moment)
}
