import { Button } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import { accounts } from '@portcullis/contract/collections/accounts'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { MoveDialog } from '../account-tree/move-dialog.tsx'
import { collectionKey } from '../item/keys.ts'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { toast } from '../ui/toasts.ts'

/** The move of a site to another account, for users who may move it. */
export function MoveSite({ site }: { site: EntityOf<typeof sites> }) {
  const { ref: account } = useAccount()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [isOpen, setIsOpen] = useState(false)
  const [managesSites, managesUnits] = [useCan('manage', sites.subject), useCan('manage', units.subject)]
  const [seesAccounts, managesAccess] = [useCan('view', accounts.subject), useCan('manage', 'Access Control')]
  if (!managesSites || !managesUnits || !managesAccess || !seesAccounts) return null
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {text('sites.move')}
      </Button>
      {isOpen && (
        <MoveDialog
          of="sites"
          ids={[site._id]}
          title={text('sites.moveTitle', { name: site.name })}
          action={text('sites.moveNow')}
          alone={text('sites.moveAlone')}
          hint={text('sites.moveHint')}
          move={({ toAccount, isPreview }) =>
            client.moveSite({ siteId: site._id, accountId: toAccount }, { isPreview })
          }
          onClose={() => setIsOpen(false)}
          onMoved={() => {
            toast({ text: text('sites.moved', { name: site.name }) })
            void queryClient.invalidateQueries({ queryKey: collectionKey(sites, account) })
            void navigate({ to: '/$account/sites', params: { account } })
          }}
        />
      )}
    </>
  )
}
