import { text } from '../text/text.ts'
import { InterlockedDoors } from './interlocked-doors.tsx'
import { membersOf, otherDoors, useInterlocksOf } from './use-interlocks-of.ts'

type Props = { door: string; className?: string | undefined; onLeave?: () => void }

/** The present state of the other doors of a door's interlocks; nothing for a door without any. */
export function InterlockNow({ door, className, onLeave }: Props) {
  const { data } = useInterlocksOf(door)
  const others = data ? otherDoors(data, door) : []
  if (!data || others.length === 0) return null
  const label = text('interlockingGroups.others')
  const site = membersOf(data).find(({ _id }) => _id === door)?.site
  const hasFaults = others.some(({ fault }) => fault !== null)
  return (
    <section className={className} aria-label={label}>
      <h3>{label}</h3>
      {!hasFaults && data.interlocks.some(({ isShared }) => isShared) && <p>{text('interlockingGroups.asksServer')}</p>}
      <InterlockedDoors label={label} doors={others} site={site} onLeave={onLeave} />
    </section>
  )
}
