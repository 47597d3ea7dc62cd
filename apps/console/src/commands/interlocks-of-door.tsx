import { Link } from '@tanstack/react-router'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { InterlockNow } from './interlock-now.tsx'
import styles from './interlocked-doors.module.css'
import { useInterlocksOf } from './use-interlocks-of.ts'

/** The interlocks of a door by name, each with a link, and their other doors now. */
export function InterlocksOfDoor({ door }: { door: string }) {
  const { ref } = useAccount()
  const { data } = useInterlocksOf(door)
  if (!data || data.interlocks.length === 0) return null
  const to: string = `/${ref}/sites/interlocks`
  const label = text('interlockingGroups.title')
  return (
    <section className={styles.interlocks} aria-label={label}>
      <h3>{label}</h3>
      <ul>
        {data.interlocks.map(({ _id, name }) => (
          <li key={_id}>
            <Link to={to} search={{ open: _id }}>
              <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      <InterlockNow door={door} />
    </section>
  )
}
