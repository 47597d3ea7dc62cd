import type { UnitConfig } from './unit-config.ts'

/** How much of what fills a unit's memory a configuration holds, in numbers of items. */
export type ConfigSize = { readonly doors: number; readonly credentials: number; readonly schedules: number }

export function configSize({ doors, credentials, schedules }: UnitConfig): ConfigSize {
  return {
    doors: Object.keys(doors).length,
    credentials: Object.keys(credentials).length,
    schedules: Object.keys(schedules).length,
  }
}
