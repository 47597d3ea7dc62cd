import { events } from '@portcullis/contract/collections/events'
import { Time } from '../time/time.tsx'
import { useList } from '../item/use-list.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './recent-refusals.module.css'
import type { useAsked } from './use-asked.ts'

const most = 5

/** Whom a door has refused of late: each asks whether it would open by the rules as they are now. */
export function RecentRefusals({ change }: Pick<ReturnType<typeof useAsked>, 'change'>) {
  const { data } = useList(
    events,
    { filter: { type: 'access.denied', user: { exists: true } }, size: most },
    { isEnabled: useCan('view', 'Access Events') },
  )
  if (!data || data.items.length === 0) return null
  return (
    <section className={styles.refusals} aria-label={text('explorer.refusals')}>
      <h3>{text('explorer.refusals')}</h3>
      <ul>
        {data.items.map(({ _id, user, door, direction, occurredAt, reason, data: { names } }) => (
          <li key={_id}>
            <button
              type="button"
              onClick={() =>
                change({ user: user ?? undefined, door: door ?? undefined, direction: direction ?? undefined })
              }
            >
              <b>{names.user}</b>
              <span>{names.door}</span>
              <span>{reason && text(`reason.${reason}`)}</span>
              <Time at={occurredAt} zone={names.timeZone} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
