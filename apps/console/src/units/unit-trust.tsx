import { Group } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import type { units } from '@portcullis/contract/collections/units'
import { EnrolUnit } from './enrol-unit.tsx'
import { ReplaceUnit } from './replace-unit.tsx'
import { RequestHeartbeat } from './request-heartbeat.tsx'
import { RevokeUnit } from './revoke-unit.tsx'

/** Asks the controller for a heartbeat, and starts, transfers or ends its trust. */
export function UnitTrust({ unit }: { unit: EntityOf<typeof units> }) {
  return (
    <>
      {unit.enrolledAt && <RequestHeartbeat unit={unit} />}
      <Group gap={8} align="flex-start">
        <EnrolUnit unit={unit} />
        <ReplaceUnit unit={unit} />
        {unit.enrolledAt && <RevokeUnit unit={unit} />}
      </Group>
    </>
  )
}
