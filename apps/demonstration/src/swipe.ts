import { decideAccess, type Decision } from '@portcullis/domain/decision/decide-access'
import { gatherFacts, type PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import type { Direction } from '@portcullis/domain/policy'

/** A credential number presented at a door of a unit. */
export type Swipe = { unit: string; unitDoor: number; number: string; direction: Direction }

/** The decision of the current policy about a swipe. */
export function decisionOn(index: PolicyIndex, { unit, unitDoor, number, direction }: Swipe, at: number): Decision {
  const door = index.doorsOfUnit.get(unit)?.find((one) => one.unitDoor === unitDoor)?._id ?? ''
  return decideAccess(gatherFacts(index, { unit, door, credentialNumber: number, direction, at }))
}
