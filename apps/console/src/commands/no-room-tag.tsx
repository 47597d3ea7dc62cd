import type { EntityOf } from '@portcullis/contract/collection'
import type { doors } from '@portcullis/contract/collections/doors'
import { text } from '../text/text.ts'
import { StateTag } from '../ui/state-tag.tsx'
import { useRoomOf } from './use-room-of.ts'

type Props = { door: Pick<EntityOf<typeof doors>, '_id' | 'unit' | 'enabled'> }

/** Marks a door for which its controller has no room. A disabled door denies everyone, so its mark would ask for nothing. */
export function NoRoomTag({ door: { _id, unit, enabled } }: Props) {
  const room = useRoomOf({ door: _id, unit })
  if (!enabled) return null
  if (room === 'unknown') {
    return (
      <>
        <StateTag state="unknown" />
        <span className="second">{text('doors.roomUnknown')}</span>
      </>
    )
  }
  return room === 'lacking' && <StateTag state="too_much">{text('doors.notOnUnit')}</StateTag>
}
