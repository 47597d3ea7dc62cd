import type { UnitCapacity } from '@portcullis/contract/unit-capacity'
import { configSize } from '@portcullis/domain/configuration/config-size'
import type { UnitConfig } from '@portcullis/domain/configuration/unit-config'

/** Why a configuration does not fit into a unit, in words; nothing where it does. */
export function lacksRoom(config: UnitConfig, capacity: UnitCapacity): string | undefined {
  const size = configSize(config)
  const kinds = ['doors', 'credentials', 'schedules'] as const
  const kind = kinds.find((each) => size[each] > capacity[each])
  return kind && `it holds ${capacity[kind]} ${kind}, not ${size[kind]}`
}
