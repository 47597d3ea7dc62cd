import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { StateTag } from '../ui/state-tag.tsx'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './recertify-screen.module.css'

type Props = { overdue: number | undefined; days: number | undefined }

/** What stands behind the list: whose cards open nothing already, how often everybody is asked for, and where that is set. */
export function PeriodNote({ overdue, days }: Props) {
  if (overdue === undefined) return null
  return (
    <div className={styles.note}>
      {overdue === 0 ? (
        <StateTag state="certified">{text('recertification.nobodyOverdue')}</StateTag>
      ) : (
        <>
          <StateTag state="overdue">{text('recertification.overdueNow', { count: overdue })}</StateTag>
          <span>{text('recertification.overdueMeans')}</span>
        </>
      )}
      {days !== undefined && (
        <>
          <span className="soft">{text('recertification.period', { count: days })}</span>
          <AccountLink>{text('recertification.periodWhere')}</AccountLink>
        </>
      )}
    </div>
  )
}

/** To the form of the account, for who may see it. */
export function AccountLink({ children }: { children: ReactNode }) {
  const { ref, _id } = useAccount()
  const to: string = `/${ref}/account/list`
  const seesAccounts = useCan('view', 'Accounts')
  return (
    seesAccounts && (
      <Link to={to} search={{ open: _id }}>
        {children}
      </Link>
    )
  )
}
