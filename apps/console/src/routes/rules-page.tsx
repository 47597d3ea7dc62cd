import { DoorStateCell } from '../doors/door-columns.tsx'
import { FollowUnits } from '../doors/unit-status.ts'
import { useSiteZone } from '../item/use-site-zone.ts'
import type { Door } from '../rules/rules-by-door.tsx'
import { RulesScreen } from '../rules/rules-screen.tsx'
import { useCan } from '../session/session-context.tsx'
import { viewerZone } from '../time/time-text.ts'

/** Manage Access, with the state of doors in the view by door. */
export function RulesPage() {
  const seesUnits = useCan('view', 'Controllers')
  return (
    <>
      {seesUnits && <FollowUnits />}
      <RulesScreen doorState={stateOf} />
    </>
  )
}

function stateOf(door: Door) {
  return <DoorNow door={door} />
}

function DoorNow({ door }: { door: Door }) {
  const zone = useSiteZone(door.site)
  return <DoorStateCell door={door} zone={zone ?? viewerZone} />
}
