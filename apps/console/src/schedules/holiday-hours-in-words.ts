import { type HolidayHours, type HolidayKind, holidayKinds } from '@portcullis/domain/policy'
import { hoursInWords } from '../time/hours-in-words.ts'
import { text } from '../text/text.ts'

/** `Closed`, or what holds on each kind of holiday: `Public closed, special 10:00 to 12:00`. */
export function holidayHoursInWords(hours: Readonly<Record<HolidayKind, HolidayHours>>): string {
  const said = holidayKinds.map((kind) => ({ kind, words: inWords(hours[kind]) }))
  const [first] = said
  if (first && said.every(({ words }) => words === first.words)) return capital(first.words)
  const each = said.map(({ kind, words }) =>
    text('schedules.kindHours', { kind: text(`holidays.kinds.${kind}`).toLowerCase(), hours: words }),
  )
  return capital(each.join(', '))
}

function inWords(hours: HolidayHours): string {
  if (hours === 'closed') return text('schedules.holidayClosed')
  if (hours === 'asUsual') return text('schedules.holidayAsUsual')
  return hours.map(hoursInWords).join('; ')
}

function capital(words: string) {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
