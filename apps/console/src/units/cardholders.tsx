import type { UnitDifference } from '@portcullis/contract/calls/unit-difference'
import { Link } from '@tanstack/react-router'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './unit-difference.module.css'

type Props = UnitDifference['missing'] & { title: string; hint: string }

/** Cardholders with links to them; nothing if there are none. */
export function Cardholders({ title, hint, total, items }: Props) {
  const { ref } = useAccount()
  const to: string = `/${ref}/users/list`
  if (total === 0) return null
  return (
    <div className={styles.cardholders}>
      <h3>{title}</h3>
      <p className="soft">{hint}</p>
      <ul>
        {items.map(({ _id, account, name }) => (
          <li key={`${_id} ${account}`}>
            <Link to={to} search={{ open: _id }}>
              <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
        {items.length > 0 && total > items.length && (
          <li className="soft">{text('unitPage.more', { count: total - items.length })}</li>
        )}
      </ul>
    </div>
  )
}
