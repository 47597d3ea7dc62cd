import { deliveryFaultText } from '../commands/delivery-fault-text.ts'
import { type State, StateTag } from '../ui/state-tag.tsx'
import { text } from '../text/text.ts'
import type { Request } from './request.ts'

type Delivery = NonNullable<Request['delivery']>
const states: Record<Delivery, State> = {
  waiting: 'waiting',
  sent: 'sent',
  opened: 'confirmed',
  not_delivered: 'not_delivered',
}

/** What happened at the door after a grant, as far as its controller has reported it; and why, if it failed. */
export function DeliveryTag({ request: { delivery, deliveryDetail } }: { request: Request }) {
  if (delivery === null) return <span className="soft">–</span>
  return (
    <span>
      <StateTag state={states[delivery]}>{text(`remote.deliveries.${delivery}`)}</StateTag>
      {delivery === 'not_delivered' && deliveryDetail && (
        <span className="second">{deliveryFaultText(deliveryDetail)}</span>
      )}
    </span>
  )
}
