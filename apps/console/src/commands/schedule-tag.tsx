import type { EntityOf } from '@portcullis/contract/collection'
import type { doors } from '@portcullis/contract/collections/doors'
import { text } from '../text/text.ts'
import { StateTag } from '../ui/state-tag.tsx'
import { useUnlockHours } from './use-unlock-hours.ts'

/** That a door in its normal mode stands unlocked by its schedule now, at a glance; empty for others. */
export function ScheduleTag({ door }: { door: EntityOf<typeof doors> }) {
  const hours = useUnlockHours(door)
  if (!hours) return null
  if (!hours.isConfirmed) return <StateTag state="waiting">{text('doorModes.byHiddenSchedule')}</StateTag>
  return <StateTag state="unlocked">{text('doorModes.unlocked')}</StateTag>
}
