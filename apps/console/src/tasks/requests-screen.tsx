import { deliveries, tasks, taskStatuses } from '@portcullis/contract/collections/tasks'
import { CollectionTable } from '../list/collection-table.tsx'
import type { Column } from '../list/data-table.tsx'
import { choicesOf, type ListFilter } from '../list/filters/filters.ts'
import { Screen } from '../ui/screen.tsx'
import { type State, StateTag } from '../ui/state-tag.tsx'
import { useDoorZone } from '../item/use-site-zone.ts'
import { Time } from '../time/time.tsx'
import { text } from '../text/text.ts'
import { DeliveryTag } from './delivery-tag.tsx'
import type { Request } from './request.ts'

/** Every request for access, live, with its outcome: who decided, when the controller received it, and whether it opened. */
export function RequestsScreen() {
  return (
    <Screen title={text('remote.title')}>
      <CollectionTable
        of={tasks}
        label={text('remote.title')}
        columns={columns}
        filters={filters}
        sort={{ prop: 'createdAt', dir: 'desc' }}
        size={50}
        empty={{ title: text('remote.empty'), hint: text('remote.emptyHint') }}
      />
    </Screen>
  )
}

const states: Record<Request['status'], State> = {
  Requested: 'waiting',
  Granted: 'granted',
  Denied: 'denied',
  Expired: 'expired',
}

const columns: Column<Request>[] = [
  {
    key: 'userName',
    label: text('remote.user'),
    sort: 'userName',
    phone: 'title',
    cell: ({ userName }) => userName,
  },
  {
    key: 'doorName',
    label: text('remote.door'),
    sort: 'doorName',
    phone: 'plain',
    fields: { doorName: text('remote.door'), siteName: text('remote.site') },
    cell: ({ doorName, siteName }) => (
      <>
        {doorName}
        <span className="second">{siteName}</span>
      </>
    ),
  },
  {
    key: 'status',
    label: text('remote.status'),
    sort: 'status',
    phone: 'aside',
    width: '130px',
    cell: ({ status }) => <StateTag state={states[status]}>{text(`remote.statuses.${status}`)}</StateTag>,
  },
  {
    key: 'createdAt',
    label: text('remote.requestedAt'),
    sort: 'createdAt',
    phone: 'line',
    width: '160px',
    cell: (request) => <RequestTime request={request} at={request.createdAt} siteTime="below" />,
  },
  {
    key: 'decidedByName',
    label: text('remote.decidedBy'),
    sort: 'decidedByName',
    phone: 'line',
    fields: { decidedByName: text('remote.decidedBy'), decidedAt: text('remote.decidedAt') },
    cell: (request) =>
      request.decidedByName === null ? (
        <span className="soft">–</span>
      ) : (
        <>
          {request.decidedByName}
          <span className="second">
            <RequestTime request={request} at={request.decidedAt} siteTime="onHover" />
          </span>
        </>
      ),
  },
  {
    key: 'sentAt',
    label: text('remote.sentAt'),
    phone: 'hidden',
    width: '110px',
    cell: (request) => <RequestTime request={request} at={request.sentAt} as="time" siteTime="below" />,
  },
  {
    key: 'delivery',
    label: text('remote.delivery'),
    sort: 'delivery',
    phone: 'line',
    width: '200px',
    fields: {
      delivery: text('remote.delivery'),
      openedAt: text('remote.openedAt'),
      deliveryDetail: text('remote.why'),
    },
    cell: (request) => (
      <>
        <DeliveryTag request={request} />
        {request.openedAt && (
          <span className="second">
            <RequestTime request={request} at={request.openedAt} as="time" />
          </span>
        )}
      </>
    ),
  },
]

type RequestTimeProps = {
  request: Request
  at: string | null
  as?: 'dateTime' | 'time'
  siteTime?: 'after' | 'below' | 'onHover'
}

/** A moment of a request for access, also at the site of its door. */
function RequestTime({ request, ...time }: RequestTimeProps) {
  return <Time {...time} zone={useDoorZone(request.door)} />
}

const filters: ListFilter[] = [
  { name: 'createdAt', label: text('remote.requestedAt'), kind: 'instant', direction: 'past' },
  {
    name: 'status',
    label: text('remote.status'),
    kind: 'choice',
    choices: choicesOf(taskStatuses, (status) => text(`remote.statuses.${status}`)),
  },
  {
    name: 'delivery',
    label: text('remote.delivery'),
    kind: 'choice',
    choices: choicesOf(deliveries, (delivery) => text(`remote.deliveries.${delivery}`)),
  },
]
