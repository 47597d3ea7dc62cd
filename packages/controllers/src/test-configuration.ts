import type { UnitConfig, UnitDoor } from '@portcullis/domain/configuration/unit-config'
import { credentialKey } from './credential-key.ts'
import { doorIds, secret, unitId } from './scripted-server.ts'

const site = '01890000-0000-7000-8000-00000000000a'
export const door: UnitDoor = {
  _id: doorIds[0],
  name: 'Front door',
  site,
  enabled: true,
  mode: 'normal',
  relockAfterSeconds: 5,
  heldOpenAfterSeconds: 30,
  requiresPin: false,
  requiresRemoteAuth: false,
  directions: { entry: true, exit: true },
}
export const holder = '01890000-0000-7000-8000-0000000000aa@01890000-0000-7000-8000-0000000000ac'
export const rule = '01890000-0000-7000-8000-0000000000cc'

/** One door, which card 4711 may open. */
export const config: UnitConfig = {
  unit: unitId,
  inService: true,
  from: '2026-01-01',
  until: '2029-01-01',
  sites: { [site]: { timeZone: 'UTC', zone: { initialOffsetMinutes: 0, transitions: [] }, holidays: {} } },
  doors: { 1: door },
  schedules: {},
  rules: { [rule]: { effect: 'allow', direction: 'both', adhoc: null, schedule: null } },
  access: { team: { doors: { 1: { allow: [rule], deny: [] } } } },
  holders: {
    [holder]: {
      user: '01890000-0000-7000-8000-0000000000aa',
      validFrom: null,
      validUntil: null,
      recertification: { enforced: false },
      access: ['team'],
    },
  },
  credentials: { [credentialKey(secret, '4711')]: { _id: 'card', holder, validFrom: null, validUntil: null } },
}

export const card = { door: 1, kind: 'card', number: '4711', direction: 'entry' } as const
export const pace = { openAfterMs: 1, closeAfterMs: 1 }
