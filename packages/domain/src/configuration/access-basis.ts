import type { PolicyIndex, UpdatableIndex } from '../decision/policy-index.ts'
import type { AccessSubject, NumberedDoor } from './access-of-users.ts'

/**
 * All that decides which holders and credentials a configuration has, and which subjects give a holder access. The rules
 * themselves are not part of it.
 */
export type AccessBasis = readonly unknown[]

type AccessBasisInput = {
  readonly index: PolicyIndex
  readonly unit: string
  readonly doors: readonly NumberedDoor[]
  readonly subjects: ReadonlyMap<string, AccessSubject>
}

/** While it stays the same, so do the holders and credentials of the unit's configuration, for all times in one month. */
export function accessBasis({ index, unit, doors, subjects }: AccessBasisInput): AccessBasis {
  const { accessMarks } = index
  return [
    index.units.get(unit)?.account,
    doors.some(([, { requiresPin }]) => requiresPin),
    doors.some(([, { acceptsPinAlone }]) => acceptsPinAlone),
    accessMarks.get('all'),
    ...[...subjects].flatMap(([id, { isAllowed }]) => [id, isAllowed, accessMarks.get(id)]),
  ]
}

export function isSameBasis(one: AccessBasis, other: AccessBasis): boolean {
  return one.length === other.length && one.every((part, at) => part === other[at])
}

/** After a change of these users and user groups, or of all. */
export function markAccess({ accessMarks }: UpdatableIndex, subjects: Iterable<string> | 'all'): void {
  if (subjects === 'all') accessMarks.clear()
  for (const subject of subjects === 'all' ? ['all'] : subjects) accessMarks.set(subject, Symbol())
}
