import { useDoorZone } from '../item/use-site-zone.ts'
import { Time } from '../time/time.tsx'
import type { Request } from './request.ts'

type Props = {
  request: Request
  at: string | null
  as?: 'dateTime' | 'time'
  siteTime?: 'after' | 'below' | 'onHover'
}

/** A moment of a request for access, also at the site of its door. */
export function RequestTime({ request, ...time }: Props) {
  return <Time {...time} zone={useDoorZone(request.door)} />
}
