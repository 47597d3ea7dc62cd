import type { Event } from '../why/explanation.ts'

/** A card or iButton that no user has; `credential` if it is known. */
export type UnknownCardRead = { number: string; kind: 'card' | 'iButton'; credential: string | null }

/** The card or iButton of an event if no user has it; undefined for other events, and if its number is hidden. */
export function unknownCard({ reason, data, credential }: Event): UnknownCardRead | undefined {
  const isUnknown = reason === 'credential_unknown' || reason === 'credential_unassigned'
  const { number, kind = 'card', note } = data
  if (!isUnknown || !number || note?.code === 'left_out' || (kind !== 'card' && kind !== 'iButton')) return undefined
  return { number, kind, credential }
}
