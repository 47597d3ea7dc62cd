import type { EntityOf } from '@portcullis/contract/collection'
import type { units } from '@portcullis/contract/collections/units'
import { text } from '../text/text.ts'

type Unit = Pick<EntityOf<typeof units>, 'eventDelayMs' | 'pendingEvents' | 'backfilledUpTo'>

/** How long the latest live event was on its way: `0.4 s`, `12 s`; nothing where none came yet. */
export function delayInWords({ eventDelayMs }: Pick<Unit, 'eventDelayMs'>): string | undefined {
  if (eventDelayMs === null) return undefined
  const seconds = eventDelayMs / 1_000
  if (seconds < 0.1) return text('units.delayShort')
  if (seconds < 10) return text('units.delaySeconds', { count: Math.round(seconds * 10) / 10 })
  return text('units.delaySeconds', { count: Math.round(seconds) })
}

/** What is still to come: events that wait on the controller, or nothing. */
export function waitingInWords({ pendingEvents }: Pick<Unit, 'pendingEvents'>): string | undefined {
  if (pendingEvents === null || pendingEvents === 0) return undefined
  return text('units.waiting', { count: pendingEvents })
}
