import type { EntityOf } from '@portcullis/contract/collection'
import { accounts } from '@portcullis/contract/collections/accounts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button, Drawer } from '@mantine/core'
import { OpenItem } from '../item/open-item.tsx'
import { ActInsideDialog } from './act-inside-dialog.tsx'
import { useMayActInside } from './use-may-act-inside.ts'
import { hierarchyQuery, meQuery } from '../session/me-query.ts'
import { SessionProvider, useAccount, useCan } from '../session/session-context.tsx'
import { AccountDrawer } from './account-drawer.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { StatusDialog } from './status-dialog.tsx'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { text } from '../text/text.ts'
import { StateTag } from '../ui/state-tag.tsx'
import { wayTo } from '../account-tree/account-hierarchy.ts'
import styles from './account-dialogs.module.css'
import { ParentName } from './parent-name.tsx'

/** The drawer of the account in the address. */
export function OpenAccount() {
  return <OpenItem of={accounts}>{({ item, onClose }) => <OpenDrawer item={item} onClose={onClose} />}</OpenItem>
}

type Props = { item: EntityOf<typeof accounts> | undefined; onClose: () => void }

/** The form acts in the account itself; its place and its status are changed from the current account of the console. */
function OpenDrawer({ item, onClose }: Props) {
  const { ref } = useAccount()
  const canManage = useCan('manage', 'Accounts')
  const mayActInside = useMayActInside()
  const queryClient = useQueryClient()
  const [dialog, setDialog] = useState<'move' | 'status' | 'act'>()

  /** Names and places of accounts also appear in the top bar. */
  function onChanged() {
    void queryClient.invalidateQueries({ queryKey: hierarchyQuery().queryKey })
    void queryClient.invalidateQueries({ queryKey: ['me'] })
  }

  return (
    <>
      <AccountSession accountRef={item?.ref ?? ref} onClose={onClose}>
        <AccountDrawer
          item={item}
          standsIn={ref}
          before={
            item && (
              <AccountPlace
                account={item}
                from={positionFrom({ isOwn: item.ref === ref, canManage })}
                onMove={() => setDialog('move')}
                onSetStatus={() => setDialog('status')}
                {...(mayActInside && item.ref !== ref ? { onActInside: () => setDialog('act') } : {})}
              />
            )
          }
          onClose={onClose}
          onChanged={onChanged}
        />
      </AccountSession>
      {item && dialog === 'move' && <MoveDialog account={item} onClose={close} onMoved={closeAll} />}
      {item && dialog === 'act' && <ActInsideDialog account={item} onClose={close} />}
      {item && dialog === 'status' && <StatusDialog account={item} onClose={close} onDone={closeAll} />}
    </>
  )

  function close() {
    setDialog(undefined)
  }

  /** The form has the account's previous values. */
  function closeAll() {
    close()
    onClose()
  }
}

function positionFrom({ isOwn, canManage }: { isOwn: boolean; canManage: boolean }) {
  if (!canManage) return 'elsewhere'
  return isOwn ? 'within' : 'above'
}

type SessionProps = { accountRef: string; onClose: () => void; children: ReactNode }

/** Its children send their requests in another account, with the user's rights there: an account is changed from inside. */
function AccountSession({ accountRef, onClose, children }: SessionProps) {
  const { data, isError, error, refetch } = useQuery(meQuery(accountRef))
  if (data?.account) return <SessionProvider session={{ ...data, account: data.account }}>{children}</SessionProvider>
  return (
    <Drawer opened onClose={onClose} title=" " closeButtonProps={{ 'aria-label': text('action.close') }}>
      {isError ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <SkeletonRows count={4} />}
    </Drawer>
  )
}

type PlaceProps = {
  account: EntityOf<typeof accounts>
  /** `above`: the console is in an account above this one, which the user may manage. */
  from: 'above' | 'within' | 'elsewhere'
  onMove: () => void
  onSetStatus: () => void
  /** Only for users who may act inside the account. */
  onActInside?: () => void
}

/** The parent and the status of an account; both can be changed only from above. */
function AccountPlace({ account, from, onMove, onSetStatus, onActInside }: PlaceProps) {
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
        <StateTag state={account.status}>{text(`accounts.statuses.${account.status}`)}</StateTag>
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
