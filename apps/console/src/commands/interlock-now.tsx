import { text } from '../text/text.ts'
import { InterlockedDoors } from './interlocked-doors.tsx'
import { otherDoors, useInterlocksOf } from './use-interlocks-of.ts'

/** The present state of the other doors of a door's interlocks; nothing for a door without any. */
export function InterlockNow({ door, className }: { door: string; className?: string | undefined }) {
  const { data } = useInterlocksOf(door)
  const others = data ? otherDoors(data, door) : []
  if (!data || others.length === 0) return null
  const label = text('interlockingGroups.others')
  return (
    <section className={className} aria-label={label}>
      <h3>{label}</h3>
      {data.interlocks.some(({ isShared }) => isShared) && <p>{text('interlockingGroups.asksServer')}</p>}
      <InterlockedDoors label={label} doors={others} />
    </section>
  )
}
