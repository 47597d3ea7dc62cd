import type { ComponentProps } from 'react'
import { Time } from '../time/time.tsx'
import { useDoorZone } from './use-site-zone.ts'

type Props = Omit<ComponentProps<typeof Time>, 'zone'> & { door: string }

/** A moment at a door, also on the clock of its site. */
export function DoorTime({ door, ...time }: Props) {
  return <Time {...time} zone={useDoorZone(door)} />
}
