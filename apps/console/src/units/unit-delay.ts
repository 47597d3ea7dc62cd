import type { EntityOf } from '@portcullis/contract/collection'
import type { units } from '@portcullis/contract/collections/units'
import { text } from '../text/text.ts'

type Unit = Pick<EntityOf<typeof units>, 'eventDelayMs' | 'pendingEvents' | 'backfilledUpTo'>

/** The delay of the latest live event: `0.4 s`, `12 s`; undefined before the first. */
export function delayInWords({ eventDelayMs }: Pick<Unit, 'eventDelayMs'>): string | undefined {
  if (eventDelayMs === null) return undefined
  const seconds = eventDelayMs / 1_000
  if (seconds < 0.1) return text('units.delayShort')
  if (seconds < 10) return text('units.delaySeconds', { count: Math.round(seconds * 10) / 10 })
  return text('units.delaySeconds', { count: Math.round(seconds) })
}

/** The events that wait on the controller, or undefined if there are none. */
export function waitingInWords({ pendingEvents }: Pick<Unit, 'pendingEvents'>): string | undefined {
  if (pendingEvents === null || pendingEvents === 0) return undefined
  return text('units.waiting', { count: pendingEvents })
}
