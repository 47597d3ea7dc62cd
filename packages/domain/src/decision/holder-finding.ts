import type { AccessFacts, HolderFacts, Recertification } from './access-facts.ts'
import { type Finding, type FindingFacts, passed, present, refused, unasked } from './finding.ts'
import { validityRefusal } from '../time/validity.ts'

/** Step 4: active, within the validity period, and recertification not overdue if it is enforced. */
export function holderFinding({ holder, at }: AccessFacts): Finding {
  if (holder === undefined) return notAsked
  const { status, recertification } = holder
  const facts = holderInFinding(holder)
  if (status !== 'active') return refused('holder', 'holder_inactive', facts)
  const reason = validityRefusal(holder, at) ?? (isOverdue(recertification, at) ? 'recertification_overdue' : null)
  return reason === null ? passed('holder', facts) : refused('holder', reason, facts)
}

const notAsked = unasked('holder')

function holderInFinding({ _id, name, status, validFrom, validUntil, recertification }: HolderFacts): FindingFacts {
  const holder = name === undefined ? { _id, status } : { _id, name, status }
  if (validFrom === null && validUntil === null && !recertification.enforced) return { holder }
  return present({
    holder,
    validFrom: validFrom ?? undefined,
    validUntil: validUntil ?? undefined,
    recertifyBy: recertification.enforced ? recertification.by : undefined,
  })
}

/** Whether the deadline has passed; a missing deadline counts as passed. */
export function isOverdue(recertification: Recertification, at: number): boolean {
  if (!recertification.enforced) return false
  return recertification.by === null || !(at < Date.parse(recertification.by))
}
