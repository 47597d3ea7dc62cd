import { Button } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import type { accounts } from '@portcullis/contract/collections/accounts'
import { useQuery } from '@tanstack/react-query'
import { StateTag } from '../ui/state-tag.tsx'
import { wayTo } from '../account-tree/account-hierarchy.ts'
import { hierarchyQuery } from '../session/me-query.ts'
import { text } from '../text/text.ts'
import styles from './account-dialogs.module.css'
import { ParentName } from './parent-name.tsx'

type Props = {
  account: EntityOf<typeof accounts>
  /** `above`: the person stands in an account above this one, and may manage it. */
  from: 'above' | 'within' | 'elsewhere'
  onMove: () => void
  onSetStatus: () => void
  /** For who may act inside it. */
  onActInside?: () => void
}

/** Where an account stands and whether it is suspended; changed from above only. */
export function AccountPlace({ account, from, onMove, onSetStatus, onActInside }: Props) {
  const { data = [] } = useQuery(hierarchyQuery())
  const isSuspendedAbove = wayTo(data, account._id)
    .slice(0, -1)
    .some(({ status }) => status === 'suspended')
  return (
    <div className={styles.place} data-before="">
      <div className={styles.line}>
        <span>{text('accounts.parent')}</span>
        <ParentName id={account.parent} />
        {from === 'above' && (
          <Button size="xs" variant="default" onClick={onMove}>
            {text('accounts.move')}
          </Button>
        )}
      </div>
      <div className={styles.line}>
        <span>{text('accounts.status')}</span>
        <StateTag state={account.status} />
        {from === 'above' && (
          <Button size="xs" variant="default" onClick={onSetStatus}>
            {text(account.status === 'active' ? 'accounts.suspend' : 'accounts.restore')}
          </Button>
        )}
      </div>
      {onActInside && (
        <Button size="xs" variant="default" onClick={onActInside}>
          {text('acting.act')}
        </Button>
      )}
      {account.status === 'suspended' && <p className="soft">{text('accounts.suspendedHint')}</p>}
      {isSuspendedAbove && <p className="soft">{text('accounts.suspendedAbove')}</p>}
      {from === 'within' && <p className="soft">{text('accounts.fromAbove')}</p>}
    </div>
  )
}
