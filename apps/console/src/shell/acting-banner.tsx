import { useResizeObserver } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { PhraseText } from '../ui/phrase-text.tsx'
import { notifyActingEnded, useActingInside, whenActingOver } from '../session/acting-inside.ts'
import { onTabMessage } from '../session/session-channel.ts'
import { serverNow } from '../session/server-clock.ts'
import { type Session, useSession } from '../session/session-context.tsx'
import { phrase, strong } from '../text/phrase.ts'
import { text } from '../text/text.ts'
import styles from './acting-banner.module.css'
import { locale } from '../text/language.ts'

/** The content below the banner of a user who acts inside the account; sticky elements stick below the banner. */
export function BelowActingBanner({ children }: { children: ReactNode }) {
  const [box, { height }] = useResizeObserver<HTMLElement>()
  const acting = useActingInside()
  const { account, assumption } = useSession()
  const isInside = acting?.ref === account.ref
  const isActing = isInside && assumption !== undefined
  return (
    <div ref={(whole) => whole?.style.setProperty('--acting', `${isActing ? Math.ceil(height) : 0}px`)}>
      {isActing && (
        <section ref={box} className={styles.banner} aria-label={text('acting.region')}>
          <Words assumption={assumption} />
        </section>
      )}
      {isInside && <Back to={acting.back} until={assumption?.until} />}
      {children}
    </div>
  )
}

/** A long reason is cut to the width of the banner until it is pressed. */
function Words({ assumption: { reason, since } }: { assumption: Assumption }) {
  const { account, user } = useSession()
  const [isWhole, setWhole] = useState(false)
  const words = phrase('acting.banner', {
    account: strong(account.name),
    person: strong(user.name),
    reason,
  })
  return (
    <div className={styles.words}>
      <IconAlertTriangle size={18} aria-hidden="true" />
      <p role="alert">
        <span
          className={styles.reason}
          data-whole={isWhole ? '' : undefined}
          title={reason}
          onClick={() => setWhole(!isWhole)}
        >
          <PhraseText phrase={words} />
        </span>{' '}
        <span>{text('acting.since', { since: clock.format(new Date(since)) })}</span>
      </p>
      <button type="button" onClick={() => notifyActingEnded('stopped')}>
        {text('acting.stop')}
      </button>
    </div>
  )
}

type Assumption = NonNullable<Session['assumption']>

/**
 * Returns the user when acting inside ends: at their request, when its time is up, when the server no longer knows it, and
 * after a new sign-in, because it belonged to the previous session.
 */
function Back({ to, until }: { to: string; until: string | undefined }) {
  const router = useRouter()
  useEffect(() => whenActingOver(() => void router.navigate({ href: to })), [router, to])
  useEffect(() => onTabMessage(({ kind }) => kind === 'signed_in' && notifyActingEnded('server')), [])
  useEffect(() => {
    if (until === undefined) {
      notifyActingEnded('server')
      return undefined
    }
    const timer = setTimeout(() => notifyActingEnded('time'), Date.parse(until) - serverNow())
    return () => clearTimeout(timer)
  }, [until])
  return null
}

const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' })
