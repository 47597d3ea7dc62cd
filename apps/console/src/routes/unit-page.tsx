import { getRouteApi } from '@tanstack/react-router'
import { UnitDoors } from '../doors/unit-doors.tsx'
import { ConnectionHistory } from '../events/connection-history.tsx'
import { UnitLog } from '../events/unit-log.tsx'
import { UnitScreen } from '../units/unit-screen.tsx'

const route = getRouteApi('/$account/units/$unit')

/** A controller on one page, with its doors, its connection and its events. */
export function UnitPage() {
  const { unit: id } = route.useParams()
  return (
    <UnitScreen id={id}>
      {(unit) => (
        <>
          <UnitDoors unit={unit} />
          <ConnectionHistory unit={unit._id} />
          <UnitLog unit={unit._id} />
        </>
      )}
    </UnitScreen>
  )
}
