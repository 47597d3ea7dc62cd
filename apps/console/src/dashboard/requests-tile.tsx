import { tasks } from '@portcullis/contract/collections/tasks'
import { Link } from '@tanstack/react-router'
import { StateTag } from '../ui/state-tag.tsx'
import { DoorTime } from '../item/door-time.tsx'
import { useList } from '../item/use-list.ts'
import { useLive } from '../item/use-live.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { AllWell, MoreRows, Row, Rows } from './rows.tsx'
import { Tile } from './tile.tsx'

/** The same query as the bell's, so that a console with the bell sends it once. */
const waiting = {
  filter: { type: 'RemoteAuthRequest', status: 'Requested' },
  sort: { prop: 'createdAt', dir: 'desc' },
  size: 100,
} as const
const first = 5

/** Access requests that wait. They are decided at the bell, and shown here. */
export function RequestsTile() {
  const { ref } = useAccount()
  const query = useList(tasks, waiting)
  const hasBell = useCan('manage', 'RemoteAuth')
  const to = `/${ref}/tasks/list`
  const search = { status: 'Requested' }
  return (
    <>
      {!hasBell && <Listening />}
      <Tile
        title={text('dashboard.requests')}
        aside={<Link to={to}>{text('dashboard.allRequests')}</Link>}
        query={query}
      >
        {({ items }) => {
          const pending = items.filter(({ status }) => status === 'Requested')
          if (pending.length === 0) return <AllWell>{text('dashboard.noRequests')}</AllWell>
          return (
            <>
              <Rows label={text('dashboard.requests')}>
                {pending.slice(0, first).map(({ _id, userName, door, doorName, siteName, createdAt }) => (
                  <Row
                    key={_id}
                    to={to}
                    search={search}
                    tag={<StateTag state="waiting" />}
                    name={userName}
                    second={`${doorName} · ${siteName}`}
                    when={<DoorTime at={createdAt} door={door} siteTime="below" as="relative" />}
                  />
                ))}
              </Rows>
              {pending.length > first && (
                <MoreRows>{text('dashboard.moreRequests', { count: pending.length - first })}</MoreRows>
              )}
            </>
          )
        }}
      </Tile>
    </>
  )
}

/** Where the bell is shown, it keeps the list live. */
function Listening() {
  useLive(tasks)
  return null
}
