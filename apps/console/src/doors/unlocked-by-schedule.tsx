import type { EntityOf } from '@portcullis/contract/collection'
import type { doors } from '@portcullis/contract/collections/doors'
import { schedules } from '@portcullis/contract/collections/schedules'
import { ScheduleTag } from '../commands/schedule-tag.tsx'
import { useUnlockHours } from '../commands/use-unlock-hours.ts'
import { NameOf } from '../item/name-of.tsx'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { Time } from '../time/time.tsx'
import { TextWith } from '../ui/text-with.tsx'
import styles from './door-mode-tag.module.css'

type Props = { door: EntityOf<typeof doors>; zone: string }

/** That a door in its normal mode stands unlocked by its schedule now; empty for others. */
export function UnlockedBySchedule({ door, zone }: Props) {
  const hours = useUnlockHours(door)
  const seesSchedules = useCan('view', schedules.subject)
  if (!hours) return null
  const schedule = <NameOf of={schedules} id={door.unlockSchedule} />
  return (
    <span className={styles.mode}>
      <ScheduleTag door={door} />
      <span className="second">
        {!seesSchedules && hours.isConfirmed && text('doorModes.byHiddenSchedule')}
        {seesSchedules && hours.until === null && <TextWith of="doorModes.bySchedule" values={{ schedule }} />}
        {seesSchedules && hours.until !== null && (
          <TextWith
            of="doorModes.byScheduleUntil"
            values={{ until: <Time at={hours.until} zone={zone} as="time" />, schedule }}
          />
        )}
        {seesSchedules && !hours.isConfirmed && ' · '}
        {!hours.isConfirmed && text('doorModes.noAnswer')}
      </span>
    </span>
  )
}
