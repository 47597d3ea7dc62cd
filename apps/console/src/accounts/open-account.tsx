import type { EntityOf } from '@portcullis/contract/collection'
import { accounts } from '@portcullis/contract/collections/accounts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { OpenItem } from '../item/open-item.tsx'
import { ActInsideDialog } from '../acting/act-inside-dialog.tsx'
import { useMayActInside } from '../acting/use-may-act-inside.ts'
import { hierarchyQuery } from '../session/me-query.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { AccountDrawer } from './account-drawer.tsx'
import { AccountPlace } from './account-place.tsx'
import { AccountSession } from './account-session.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { StatusDialog } from './status-dialog.tsx'

/** The drawer of the account that the address names. */
export function OpenAccount() {
  return <OpenItem of={accounts}>{({ item, onClose }) => <OpenDrawer item={item} onClose={onClose} />}</OpenItem>
}

type Props = { item: EntityOf<typeof accounts> | undefined; onClose: () => void }

/** The form acts in the account itself; its place and its status are changed from the one in which the console stands. */
function OpenDrawer({ item, onClose }: Props) {
  const { ref } = useAccount()
  const canManage = useCan('manage', 'Accounts')
  const mayActInside = useMayActInside()
  const queryClient = useQueryClient()
  const [dialog, setDialog] = useState<'move' | 'status' | 'act'>()

  /** Names and places of accounts stand in the top bar as well. */
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
                from={placeSeenFrom({ isOwn: item.ref === ref, canManage })}
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

  /** The form holds the account as it was before. */
  function closeAll() {
    close()
    onClose()
  }
}

function placeSeenFrom({ isOwn, canManage }: { isOwn: boolean; canManage: boolean }) {
  if (!canManage) return 'elsewhere'
  return isOwn ? 'within' : 'above'
}
