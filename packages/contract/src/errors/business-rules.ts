import type { Collection } from '../collection.ts'
import type { ErrorCode } from '../errors.ts'

type Rules = {
  readonly create?: readonly ErrorCode[]
  readonly patch?: readonly ErrorCode[]
  readonly delete?: readonly ErrorCode[]
}

/** The rules by which a change of one collection may be refused, beyond those that hold for all of them. */
const ownRules: Readonly<Record<string, Rules>> = {
  accounts: { delete: ['account_not_empty'] },
  doors: { patch: ['door_in_interlock'] },
  interlockingGroups: {
    create: ['doors_of_several_units', 'interlock_without_unit'],
    patch: ['doors_of_several_units', 'interlock_without_unit'],
  },
  users: { create: ['hyper_only'], patch: ['own_role', 'own_access', 'home_account_only'], delete: ['own_role'] },
}

export function rulesOf({ name }: Collection, verb: keyof Rules): readonly ErrorCode[] {
  return ownRules[name]?.[verb] ?? []
}

/** What may have changed since a user requested access at a door, so that it cannot be granted. */
export const grantObstacles = [
  'door_left_account',
  'door_rewired',
  'door_unwired',
  'door_disabled',
  'unit_out_of_service',
  'requester_inactive',
  'door_locked_down',
  'door_blocked',
] as const satisfies readonly ErrorCode[]

/** What keeps a change from being undone. */
export const undoObstacles = [
  'deleted_since',
  'already_restored',
  'changed_since',
  'nothing_to_undo',
  'not_undoable',
  'nothing_to_restore',
  'not_restorable',
  'no_longer_valid',
  ...new Set(Object.values(ownRules).flatMap((rules) => Object.values(rules).flat())),
] as const satisfies readonly ErrorCode[]
