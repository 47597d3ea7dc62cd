import type { EntityOf } from '@portcullis/contract/collection'
import type { DoorInLockdown } from '@portcullis/contract/calls/lockdowns'
import { lockdowns } from '@portcullis/contract/collections/lockdowns'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { collectionKey } from '../item/keys.ts'
import { useItem } from '../item/use-item.ts'
import { DataTable, type LabelledColumn } from '../list/data-table.tsx'
import { TablePanel } from '../list/table-panel.tsx'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { listOf } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import { Time } from '../time/time.tsx'
import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'
import { Screen } from '../ui/screen.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { TextWith } from '../ui/text-with.tsx'

const route = getRouteApi('/$account/rules/lockdowns/$lockdown')

/** What controllers confirm changes no lockdown, so the states are read again. */
const everyMs = 2_000

const columns: LabelledColumn<DoorInLockdown>[] = [
  { key: 'name', label: text('lockdowns.door'), phone: 'title', cell: ({ name }) => name },
  { key: 'siteName', label: text('lockdowns.site'), phone: 'plain', cell: ({ siteName }) => siteName },
  {
    key: 'state',
    label: text('lockdowns.state'),
    phone: 'aside',
    width: '150px',
    cell: ({ state }) => <StateTag state={state} />,
  },
  time('requestedAt'),
  time('confirmedAt'),
  time('unreachableSince'),
]

function time(key: 'requestedAt' | 'confirmedAt' | 'unreachableSince'): LabelledColumn<DoorInLockdown> {
  return {
    key,
    label: text(`lockdowns.${key}`),
    phone: 'line',
    width: '170px',
    cell: (door) => <Time at={door[key]} />,
  }
}

/** One lockdown, with the true state of each of its doors. */
export function LockdownScreen() {
  const { lockdown: id } = route.useParams()
  const { ref } = useAccount()
  const lockdown = useItem(lockdowns, id)
  const { data } = lockdown
  return (
    <Screen
      title={data ? text('lockdowns.active', { name: data.name }) : text('lockdowns.one')}
      above={
        <Link to="/$account/rules/lockdowns" params={{ account: ref }}>
          {text('lockdowns.title')}
        </Link>
      }
    >
      {lockdown.isError && <ErrorNotice error={lockdown.error} onRetry={() => void lockdown.refetch()} />}
      {data && data.mayPass.length > 0 && (
        <p>{text('lockdowns.mayPassHere', { groups: listOf(data.mayPass.map(({ name }) => name)) })}</p>
      )}
      {data?.endedAt === null && <Doors id={id} />}
      {data && data.endedAt !== null && <Ended lockdown={data} />}
    </Screen>
  )
}

/** Who started and ended a lockdown. Which of its doors have returned is not stored with it. */
function Ended({ lockdown }: { lockdown: EntityOf<typeof lockdowns> }) {
  const { _id, name, startedAt, startedByName, endedAt, endedByName } = lockdown
  const { ref } = useAccount()
  const seesLog = useCan('view', 'Audit Logs')
  const time = <Time at={endedAt} />
  return (
    <EmptyNotice
      title={text('lockdowns.ended', { name })}
      action={
        <>
          <p>
            <TextWith of="lockdowns.startedLine" values={{ time: <Time at={startedAt} />, name: startedByName }} />
          </p>
          <p>
            {endedByName === null ? (
              <TextWith of="lockdowns.endedByTime" values={{ time }} />
            ) : (
              <TextWith of="lockdowns.endedLine" values={{ time, name: endedByName }} />
            )}
          </p>
          <p>{text('lockdowns.overHint')}</p>
          {seesLog && (
            <Link to="/$account/auditLogs/list" params={{ account: ref }} search={{ item: _id, of: lockdowns.name }}>
              {text('lockdowns.log')}
            </Link>
          )}
        </>
      }
    />
  )
}

function Doors({ id }: { id: string }) {
  const { ref } = useAccount()
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: [...collectionKey(lockdowns, ref), 'doors', id],
    queryFn: ({ signal }) => client.lockdownDoors(id, { signal }),
    refetchInterval: everyMs,
  })
  function content(minWidth: number | undefined) {
    if (!data) return error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <SkeletonRows count={5} />
    return (
      <DataTable
        label={text('lockdownPlans.places')}
        items={data}
        columns={columns}
        total={data.length}
        firstAt={0}
        minWidth={minWidth}
      />
    )
  }
  return (
    <TablePanel columns={columns} isFetching={isFetching && !data} isStale={false}>
      {content}
    </TablePanel>
  )
}
