import type { EntityOf } from '@portcullis/contract/collection'
import type { doors } from '@portcullis/contract/collections/doors'
import type { ReactNode } from 'react'
import { text } from '../text/text.ts'
import { StateTag } from '../ui/state-tag.tsx'
import { useHasNoRoom } from './use-has-no-room.ts'

type Props = {
  door: Pick<EntityOf<typeof doors>, '_id' | 'unit' | 'enabled'>
  /** Shown for doors that are on their controller. */
  children?: ReactNode
}

/** Marks a door for which its controller has no room. A disabled door denies everyone, so its mark would ask for nothing. */
export function NoRoomTag({ door: { _id, unit, enabled }, children }: Props) {
  const hasNoRoom = useHasNoRoom({ door: _id, unit })
  return enabled && hasNoRoom ? <StateTag state="too_much">{text('doors.notOnUnit')}</StateTag> : children
}
