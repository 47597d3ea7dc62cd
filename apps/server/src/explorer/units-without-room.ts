import type { UserLeftOut } from '@portcullis/contract/calls/left-out'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import { isCredentialLeftOut, type LeftOutByUnit } from '@portcullis/domain/decision/left-out'
import { rulesForUserAtDoor } from '@portcullis/domain/decision/applying-rules'
import { usableHolder } from '@portcullis/domain/decision/usable-credential'
import { appliesAtReader } from '@portcullis/domain/explore/openings'
import type { Door } from '@portcullis/domain/policy'
import type { Scope } from './scope.ts'

type Input = { user: string; at: number; scope: Scope; leftOut: LeftOutByUnit }

/** The visible units that leave out a credential of this user, with the number of their doors where the user has access. */
export function unitsWithoutRoom(index: PolicyIndex, { user, at, scope, leftOut }: Input): UserLeftOut['units'] {
  const credentials = (index.credentialsOfUser.get(user) ?? []).filter(
    (credential) => credential.kind !== 'pin' && usableHolder(index, credential, at),
  )
  const hasAccess = (door: Door) =>
    door.enabled &&
    rulesForUserAtDoor(index, { user, door }).some(({ rule }) => rule.effect === 'allow' && appliesAtReader(rule, door))
  const found = [...leftOut].flatMap(([unit, ofUnit]) => {
    const { _id, name } = scope.named('unit', unit)
    if (_id === null || name === null) return []
    if (!credentials.some((credential) => isCredentialLeftOut(ofUnit, credential))) return []
    const doors = (index.doorsOfUnit.get(unit) ?? []).filter(hasAccess).length
    return doors === 0 ? [] : [{ _id, name, doors }]
  })
  return found.sort((a, b) => a.name.localeCompare(b.name, 'en'))
}
