import { roles } from '@portcullis/contract/abilities'
import { credentialKinds } from '@portcullis/contract/collections/credentials'
import {
  credentialStatuses,
  doorModes,
  holidayKinds,
  ruleDirections,
  ruleEffects,
  userStatuses,
} from '@portcullis/domain/policy'
import { text } from '../text/text.ts'

type Asked = { collection: string; field: string; value: unknown }

/** The word of a value that is one of a few: `Lost`, `Access manager`. */
export function wordOf({ collection, field, value }: Asked): string | undefined {
  const words = known[`${collection}.${field}`]
  return typeof value === 'string' ? words?.get(value) : undefined
}

const states = (
  values: readonly (
    | (typeof userStatuses)[number]
    | (typeof credentialStatuses)[number]
    | (typeof ruleEffects)[number]
  )[],
) => new Map<string, string>(values.map((value) => [value, text(`state.${value}`)]))

const known: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  'users.status': states(userStatuses),
  'users.role': new Map(roles.map((role) => [role, text(`users.roles.${role}`)])),
  'credentials.status': states(credentialStatuses),
  'credentials.kind': new Map(credentialKinds.map((kind) => [kind, text(`credentials.kinds.${kind}`)])),
  'rules.effect': states(ruleEffects),
  'rules.direction': new Map(ruleDirections.map((direction) => [direction, text(`rules.directions.${direction}`)])),
  'holidays.kind': new Map(holidayKinds.map((kind) => [kind, text(`holidays.kinds.${kind}`)])),
  'doors.mode': new Map(doorModes.map((mode) => [mode, text(`audit.values.modes.${mode}`)])),
}
