import type { Recertifyable } from '@portcullis/contract/calls/recertification'
import { dayMs } from '@portcullis/domain/time/zone'
import type { State } from '../ui/state-tag.tsx'
import { text } from '../text/text.ts'

/** This many days before the due date it is worth a reminder. */
export const soonDays = 30

/** How much time is left, in started days: `3 days overdue`, `Due in 12 days`. */
export function dueInWords(
  { recertifyBy: by }: Pick<Recertifyable, 'recertifyBy'>,
  now: Date,
): { state: State; words: string } {
  if (by === null) return { state: 'overdue', words: text('recertification.overdueEver') }
  const leftMs = Date.parse(by) - now.getTime()
  const days = Math.floor(Math.abs(leftMs) / dayMs)
  if (leftMs <= 0) {
    const words =
      days === 0 ? text('recertification.overdueToday') : text('recertification.overdueDays', { count: days })
    return { state: 'overdue', words }
  }
  const words = days === 0 ? text('recertification.dueToday') : text('recertification.dueDays', { count: days })
  return { state: leftMs <= soonDays * dayMs ? 'due_soon' : 'certified', words }
}
