import type { EntityOf } from '@portcullis/contract/collection'
import { events } from '@portcullis/contract/collections/events'
import { rules } from '@portcullis/contract/collections/rules'
import { units } from '@portcullis/contract/collections/units'
import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { collectionKey } from '../item/keys.ts'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { messageOf } from '../ui/list-notice.tsx'
import styles from './group-uses.module.css'

/** The filter of the events that takes the ids of the members. */
type EventFilter = 'door' | 'site' | 'user'
type Props = { group: { _id: string; members: readonly string[] }; eventFilter: EventFilter }

const maxNamed = 5
/** More ids than a filter takes. */
const maxFiltered = 100

/** What belongs to a group: the rules that name it or a member, the controllers of its doors and sites, the events. */
export function GroupUses({ group, eventFilter }: Props) {
  const { ref } = useAccount()
  const to = (path: string): string => `/${ref}/${path}`
  const seesRules = useCan('view', rules.subject)
  const seesUnits = useCan('view', units.subject) && eventFilter !== 'user'
  const seesEvents = useCan('view', events.subject)
  const { members } = group
  const hasEvents = seesEvents && members.length > 0 && members.length <= maxFiltered
  if (!seesRules && !seesUnits && !hasEvents) return null
  return (
    <section className={styles.uses} aria-labelledby="group-uses">
      <h3 id="group-uses">{text('groups.uses')}</h3>
      {seesRules && (
        <Uses of={rules} group={group._id} label={text('groups.rules')} none={text('groups.noRules')}>
          {({ _id, name }) => (
            <Link to={to('rules/list')} search={{ open: _id }}>
              {name}
            </Link>
          )}
        </Uses>
      )}
      {seesUnits && (
        <Uses of={units} group={group._id} label={text('groups.units')} none={text('groups.noUnits')}>
          {({ _id, name }) => <Link to={to(`units/${_id}`)}>{name}</Link>}
        </Uses>
      )}
      {hasEvents && (
        <Link to={to('events/list')} search={{ [eventFilter]: members.join(',') }}>
          {text('groups.events')}
        </Link>
      )}
    </section>
  )
}

type UsesProps<C extends typeof rules | typeof units> = {
  of: C
  group: string
  label: string
  none: string
  children: (item: EntityOf<C>) => ReactNode
}

/** The first items that belong to the group, and the number of all. */
function Uses<C extends typeof rules | typeof units>({ of, group, label, none, children }: UsesProps<C>) {
  const { ref } = useAccount()
  const found = useQuery({
    queryKey: [...collectionKey(of, ref), 'group', group],
    queryFn: ({ signal }) =>
      client.of(of).group(group, { size: maxNamed, sort: { prop: 'name', dir: 'asc' } }, { signal }),
  })
  return (
    <div>
      <h4>{label}</h4>
      {found.isPending && <Skeleton height={12} width="60%" />}
      {found.error && (
        <p role="alert" className="refusal">
          {messageOf(found.error)}{' '}
          <Button size="compact-xs" variant="default" onClick={() => void found.refetch()}>
            {text('action.retry')}
          </Button>
        </p>
      )}
      {found.data?.items.length === 0 && <p className="soft">{none}</p>}
      <ul className={styles.items}>
        {found.data?.items.map((item) => (
          <li key={item._id}>{children(item)}</li>
        ))}
        {found.data && found.data.page.totalElements > maxNamed && (
          <li className="soft">{text('form.more', { count: found.data.page.totalElements - maxNamed })}</li>
        )}
      </ul>
    </div>
  )
}
