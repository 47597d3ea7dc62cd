import type { ActiveLockdown } from '@portcullis/contract/calls/lockdowns'
import { IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { dateAndTime } from '../time/time-text.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { EndLockdown } from './end-lockdown.tsx'
import styles from './lockdown-banner.module.css'
import { useActiveLockdowns, useFollowedLockdowns } from './use-active-lockdowns.ts'

/** Above every screen: the active lockdowns, and how many of their doors have confirmed them. */
export function LockdownBanner() {
  const active = useActiveLockdowns()
  useFollowedLockdowns()
  if (active.length === 0) return null
  return (
    <section className={styles.banner} aria-label={text('lockdowns.region')}>
      {active.map((lockdown) => (
        <Active key={lockdown._id} lockdown={lockdown} />
      ))}
    </section>
  )
}

function Active({ lockdown }: { lockdown: ActiveLockdown }) {
  const { ref } = useAccount()
  const { _id, name, startedByName, startedAt, endsAt, doors } = lockdown
  const progress = progressOf(doors)
  const timeOf = (at: string) => dateAndTime(new Date(at), { now: new Date(), isTimeOnly: true })
  return (
    <div className={styles.one}>
      <IconLock size={20} aria-hidden="true" />
      <div className={styles.words}>
        <p role="alert">
          <b>{text('lockdowns.active', { name })}</b>
        </p>
        <p>
          {text('lockdowns.by', { name: startedByName, time: timeOf(startedAt) })}{' '}
          {endsAt !== null && text('lockdowns.until', { time: timeOf(endsAt) })}
        </p>
      </div>
      <div className={styles.progress}>
        <p>{progress}</p>
        <ProgressBar label={progress} done={doors.confirmed} total={doors.total} />
      </div>
      <div className={styles.verbs}>
        <Link to="/$account/rules/lockdowns/$lockdown" params={{ account: ref, lockdown: _id }}>
          {text('lockdowns.show')}
        </Link>
        <EndLockdown lockdown={lockdown} />
      </div>
    </div>
  )
}

/** In words: `1,980 of 2,000 doors confirmed, 20 unreachable`. */
export function progressOf({ total, confirmed, unreachable }: ActiveLockdown['doors']) {
  const progress = text('lockdowns.progress', { confirmed, count: total })
  return unreachable === 0 ? progress : text('lockdowns.unreachable', { progress, unreachable })
}
