import type { EntityOf } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import { schedules } from '@portcullis/contract/collections/schedules'
import { useQuery } from '@tanstack/react-query'
import { collectionKey } from '../item/keys.ts'
import { NameOf } from '../item/name-of.tsx'
import { reachOf } from '../item/reach-of.ts'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { Time } from '../time/time.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { TextWith } from '../ui/text-with.tsx'
import styles from './door-mode-tag.module.css'

type Props = { door: EntityOf<typeof doors>; zone: string }

/** That a door in its normal mode stands unlocked by its schedule now; empty for others. */
export function UnlockedBySchedule({ door, zone }: Props) {
  const { data } = useUnlockHours(door)
  const seesSchedules = useCan('view', schedules.subject)
  if (!data?.isUnlocked) return null
  const schedule = <NameOf of={schedules} id={door.unlockSchedule} />
  return (
    <span className={styles.mode}>
      <StateTag state="unlocked">{text('doorModes.unlocked')}</StateTag>
      <span className="second">
        {!seesSchedules && text('doorModes.byHiddenSchedule')}
        {seesSchedules && data.until === null && <TextWith of="doorModes.bySchedule" values={{ schedule }} />}
        {seesSchedules && data.until !== null && (
          <TextWith
            of="doorModes.byScheduleUntil"
            values={{ until: <Time at={data.until} zone={zone} as="time" />, schedule }}
          />
        )}
      </span>
    </span>
  )
}

/** The hours change no item, so they are read again each minute. */
const everyMs = 60_000

function useUnlockHours({ _id, unlockSchedule, enabled }: Props['door']) {
  const { ref } = useAccount()
  return useQuery({
    queryKey: [...collectionKey(doors, ref), 'unlockHours', _id, unlockSchedule],
    queryFn: ({ signal }) => client.doorUnlockHours(_id, { signal, ...reachOf(doors) }),
    enabled: enabled && unlockSchedule !== null,
    refetchInterval: everyMs,
  })
}
