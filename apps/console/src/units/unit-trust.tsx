import { Group } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import type { units } from '@portcullis/contract/collections/units'
import { EnrolUnit } from './enrol-unit.tsx'
import { ReplaceUnit } from './replace-unit.tsx'
import { RequestHeartbeat } from './request-heartbeat.tsx'
import { RevokeUnit } from './revoke-unit.tsx'

type Props = {
  unit: EntityOf<typeof units> /** The page has the first enrolment and the replacement in its head. */
  isOnPage?: boolean
}

/** Asks the controller for a heartbeat, and starts, transfers or ends its trust. */
export function UnitTrust({ unit, isOnPage = false }: Props) {
  return (
    <>
      {unit.enrolledAt && <RequestHeartbeat unit={unit} />}
      <Group gap={8} mt={10}>
        {!isOnPage && <EnrolUnit unit={unit} offers="first" />}
        <EnrolUnit unit={unit} offers="again" />
        {!isOnPage && <ReplaceUnit unit={unit} />}
        {unit.enrolledAt && <RevokeUnit unit={unit} />}
      </Group>
    </>
  )
}
