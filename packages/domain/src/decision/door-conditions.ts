import type { DoorConditions } from './access-facts.ts'
import { present } from './finding.ts'
import type { Door, Group } from '../policy.ts'
import type { NamedGroup, PolicyIndex } from './policy-index.ts'

/** An area that a door leads into, with the settings of its anti-passback. */
export type Area = NamedGroup & { readonly antiPassback: NonNullable<Group['antiPassback']> }

/** The areas that a door leads into: its door groups with anti-passback, by id. */
export function areasOfDoor({ doorGroups }: PolicyIndex, door: string): Area[] {
  return (doorGroups.groupsOf.get(door) ?? []).flatMap((id) => {
    const group = doorGroups.groups.get(id)
    return group?.antiPassback ? [{ ...group, antiPassback: group.antiPassback }] : []
  })
}

/** Those of them into which doors of other units lead too, by id: these units share the passages of users. */
export function areasSharedWithUnits(index: PolicyIndex, { _id, unit }: Door): string[] {
  const isElsewhere = (other: string) => {
    const wiredTo = index.doors.get(other)?.unit ?? null
    return wiredTo !== null && wiredTo !== unit
  }
  const isShared = (area: Area) => [...(index.doorGroups.members.get(area._id) ?? [])].some(isElsewhere)
  return areasOfDoor(index, _id)
    .filter(isShared)
    .map((area) => area._id)
}

/** The doors, of any unit, that must be closed before this one opens, by id. */
export function interlockedDoors({ interlockingGroups, doors }: PolicyIndex, door: Door): Door[] {
  const groups = interlockingGroups.groupsOf.get(door._id) ?? []
  const ids = new Set(groups.flatMap((id) => [...(interlockingGroups.members.get(id) ?? [])]))
  ids.delete(door._id)
  return [...ids].sort().flatMap((id) => {
    const other = doors.get(id)
    return other !== undefined && other.unit !== null && other.unitDoor !== null ? [other] : []
  })
}

/** Undefined for a door where the controller checks no state. */
export function doorConditions(index: PolicyIndex, door: Door): DoorConditions | undefined {
  const interlock = interlockedDoors(index, door).map(({ _id, name }) => ({ _id, name }))
  const areas = areasOfDoor(index, door._id).map(({ _id, name, antiPassback: { kind, minutes } }) => ({
    _id,
    name,
    kind,
    minutes,
  }))
  const group = door.firstPersonGroup ? index.userGroups.groups.get(door.firstPersonGroup) : undefined
  const conditions = present({
    interlock: interlock.length > 0 ? interlock : undefined,
    areas: areas.length > 0 ? areas : undefined,
    firstPersonGroup: group && { _id: group._id, name: group.name },
  })
  return Object.keys(conditions).length > 0 ? conditions : undefined
}
