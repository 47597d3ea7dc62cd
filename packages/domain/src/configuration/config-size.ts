import type { UnitConfig } from './unit-config.ts'

/** The size of a configuration, in the items that fill a unit's memory. */
export type ConfigSize = { readonly doors: number; readonly credentials: number; readonly schedules: number }

export function configSize({ doors, credentials, schedules }: UnitConfig): ConfigSize {
  return {
    doors: Object.keys(doors).length,
    credentials: Object.keys(credentials).length,
    schedules: Object.keys(schedules).length,
  }
}
