import { deliveries, tasks, taskStatuses } from '@portcullis/contract/collections/tasks'
import { CollectionTable } from '../list/collection-table.tsx'
import type { Column } from '../list/data-table.tsx'
import { choicesOf, type ListFilter } from '../list/filters/filters.ts'
import { DoorTime } from '../item/door-time.tsx'
import { useOpenItem } from '../item/use-open-item.ts'
import { Screen } from '../ui/screen.tsx'
import { text } from '../text/text.ts'
import { DeliveryTag } from './delivery-tag.tsx'
import { RequestDrawer } from './request-drawer.tsx'
import { RequestStatus } from './request-status.tsx'
import type { Request } from './request.ts'
import styles from './requests.module.css'

/** Every request for access, live, with its outcome: who decided, when the controller received it, and whether it opened. */
export function RequestsScreen() {
  const { open, openId } = useOpenItem()
  return (
    <Screen title={text('remote.title')}>
      <CollectionTable
        of={tasks}
        label={text('remote.title')}
        columns={columns}
        filters={filters}
        sort={{ prop: 'createdAt', dir: 'desc' }}
        size={50}
        openId={openId}
        onOpen={({ _id }) => open(_id)}
        empty={{ title: text('remote.empty'), hint: text('remote.emptyHint') }}
      />
      <RequestDrawer />
    </Screen>
  )
}

const columns: Column<Request>[] = [
  {
    key: 'userName',
    label: text('tasks.userName'),
    sort: 'userName',
    phone: 'title',
    cell: ({ userName }) => userName,
  },
  {
    key: 'doorName',
    label: text('tasks.doorName'),
    sort: 'doorName',
    phone: 'plain',
    fields: { doorName: text('tasks.doorName'), siteName: text('tasks.siteName') },
    cell: ({ doorName, siteName }) => (
      <>
        {doorName}
        <span className="second">{siteName}</span>
      </>
    ),
  },
  {
    key: 'status',
    label: text('tasks.status'),
    sort: 'status',
    phone: 'aside',
    width: '130px',
    cell: ({ status }) => <RequestStatus status={status} />,
  },
  {
    key: 'createdAt',
    label: text('tasks.createdAt'),
    sort: 'createdAt',
    phone: 'line',
    width: '160px',
    cell: (request) => <DoorTime door={request.door} at={request.createdAt} siteTime="below" />,
  },
  {
    key: 'decidedByName',
    label: text('tasks.decidedByName'),
    sort: 'decidedByName',
    phone: 'line',
    fields: {
      decidedByName: text('tasks.decidedByName'),
      decidedAt: text('tasks.decidedAt'),
      note: text('tasks.note'),
    },
    cell: (request) =>
      request.decidedByName === null ? (
        <span className="soft">–</span>
      ) : (
        <>
          {request.decidedByName}
          <span className="second">
            <DoorTime door={request.door} at={request.decidedAt} siteTime="onHover" />
          </span>
          {request.note && <span className={`second ${styles.excerpt}`}>{request.note}</span>}
        </>
      ),
  },
  {
    key: 'sentAt',
    label: text('tasks.sentAt'),
    phone: 'hidden',
    width: '110px',
    cell: (request) => <DoorTime door={request.door} at={request.sentAt} as="time" siteTime="below" />,
  },
  {
    key: 'delivery',
    label: text('tasks.delivery'),
    sort: 'delivery',
    phone: 'line',
    width: '200px',
    fields: {
      delivery: text('tasks.delivery'),
      openedAt: text('tasks.openedAt'),
      deliveryDetail: text('tasks.deliveryDetail'),
    },
    cell: (request) => (
      <>
        <DeliveryTag request={request} />
        {request.openedAt && (
          <span className="second">
            <DoorTime door={request.door} at={request.openedAt} as="time" />
          </span>
        )}
      </>
    ),
  },
]

const filters: ListFilter[] = [
  { name: 'createdAt', label: text('tasks.createdAt'), kind: 'instant', direction: 'past' },
  {
    name: 'status',
    label: text('tasks.status'),
    kind: 'choice',
    choices: choicesOf(taskStatuses, (status) => text(`remote.statuses.${status}`)),
  },
  {
    name: 'delivery',
    label: text('tasks.delivery'),
    kind: 'choice',
    choices: choicesOf(deliveries, (delivery) => text(`remote.deliveries.${delivery}`)),
  },
]
