import { accounts } from '@portcullis/contract/collections/accounts'
import { useQueryClient } from '@tanstack/react-query'
import { OpenItem } from '../collection/open-item.tsx'
import { hierarchyQuery } from '../session/me-query.ts'
import { useAccount } from '../session/session-context.tsx'
import { AccountDrawer } from './account-drawer.tsx'
import { AccountSession } from './account-session.tsx'

/** The drawer of the account that the address names. */
export function OpenAccount() {
  const { ref } = useAccount()
  const queryClient = useQueryClient()

  /** Names and places of accounts stand in the top bar as well. */
  function onChanged() {
    void queryClient.invalidateQueries({ queryKey: hierarchyQuery().queryKey })
    void queryClient.invalidateQueries({ queryKey: ['me'] })
  }

  return (
    <OpenItem of={accounts}>
      {({ item, onClose }) => (
        <AccountSession accountRef={item?.ref ?? ref} onClose={onClose}>
          <AccountDrawer item={item} standsIn={ref} onClose={onClose} onChanged={onChanged} />
        </AccountSession>
      )}
    </OpenItem>
  )
}
