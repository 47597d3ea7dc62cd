import { type State, StateTag } from '../ui/state-tag.tsx'
import { text } from '../text/text.ts'
import type { Request } from './request.ts'

const states: Record<Request['status'], State> = {
  Requested: 'waiting',
  Granted: 'granted',
  Denied: 'denied',
  Expired: 'expired',
}

export function RequestStatus({ status }: Pick<Request, 'status'>) {
  return <StateTag state={states[status]}>{text(`remote.statuses.${status}`)}</StateTag>
}
