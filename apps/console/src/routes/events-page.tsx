import { EventsScreen } from '../events/events-screen.tsx'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './plain-page.module.css'

/** The events of the account; a plain page for those whom every gate sends here and who may not see them either. */
export function EventsPage() {
  const seesEvents = useCan('view', 'Access Events')
  const { name } = useAccount()
  if (seesEvents) return <EventsScreen />
  return (
    <div className={styles.page}>
      <title>{`${text('gate.title')} - ${text('product')}`}</title>
      <h1>{text('gate.heading')}</h1>
      <p>{text('gate.hint', { account: name })}</p>
    </div>
  )
}
