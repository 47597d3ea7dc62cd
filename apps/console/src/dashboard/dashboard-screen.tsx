import { doors } from '@portcullis/contract/collections/doors'
import { events } from '@portcullis/contract/collections/events'
import { units } from '@portcullis/contract/collections/units'
import { EmptyNotice } from '../ui/list-notice.tsx'
import { Screen } from '../ui/screen.tsx'
import { viewerZone, zoneInWords } from '../time/time-text.ts'
import { LiveBadge } from '../live/live-badge.tsx'
import { useMinute } from '../time/use-minute.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { AlarmsTile } from './alarms-tile.tsx'
import styles from './dashboard-screen.module.css'
import { dayInWords } from './day-of.ts'
import { DoorsTile } from './doors-tile.tsx'
import { Following } from './following.tsx'
import { RefusalsTile } from './refusals-tile.tsx'
import { RequestsTile } from './requests-tile.tsx'
import { TodayTile } from './today-tile.tsx'
import { UnitsTile } from './units-tile.tsx'

/** The account at a glance: doors and controllers now, the day compared with the usual, and what waits for an operator. */
export function DashboardScreen() {
  const seesDoors = useCan('view', doors.subject)
  const seesUnits = useCan('view', units.subject)
  const seesEvents = useCan('view', events.subject)
  const seesRequests = useCan('view', 'RemoteAuth')
  const now = useMinute()
  const seesNothing = !seesDoors && !seesUnits && !seesEvents && !seesRequests

  return (
    <Screen
      title={text('dashboard.title')}
      beside={<LiveBadge of={events} />}
      actions={
        <span className={styles.day}>
          {text('dashboard.day', { day: dayInWords(now), zone: zoneInWords(viewerZone, now) })}
        </span>
      }
    >
      {seesNothing && <EmptyNotice title={text('gate.notOpen')} hint={text('gate.notOpenHint')} />}
      <div className={styles.tiles}>
        <div className={styles.row}>
          {seesDoors && <DoorsTile />}
          {seesUnits && <UnitsTile />}
          {seesRequests && <RequestsTile />}
        </div>
        {seesEvents && (
          <>
            <div className={styles.row} data-first="wide">
              <TodayTile />
              <RefusalsTile />
            </div>
            <AlarmsTile />
          </>
        )}
      </div>
      {seesDoors && <Following of={doors} />}
      {seesUnits && <Following of={units} />}
      {seesEvents && <Following of={events} />}
    </Screen>
  )
}
