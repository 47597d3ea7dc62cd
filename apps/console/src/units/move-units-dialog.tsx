import type { EntityOf } from '@portcullis/contract/collection'
import { units } from '@portcullis/contract/collections/units'
import { useQueryClient } from '@tanstack/react-query'
import { MoveDialog } from '../account-tree/move-dialog.tsx'
import { collectionKey } from '../item/keys.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { toast } from '../ui/toasts.ts'

type Props = { items: readonly EntityOf<typeof units>[]; onClose: () => void; onMoved: () => void }

/** The move of controllers to another account. */
export function MoveUnitsDialog({ items, onClose, onMoved }: Props) {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const unitIds = items.map(({ _id }) => _id)
  const count = items.length
  return (
    <MoveDialog
      of="units"
      ids={unitIds}
      title={text('units.moveTitle', { count })}
      action={text('units.moveNow', { count })}
      alone={text('units.moveOnlyUnits')}
      hint={text('units.moveHint')}
      move={({ toAccount, isPreview }) => client.moveUnits({ unitIds, toAccount, dryRun: isPreview })}
      onClose={onClose}
      onMoved={() => {
        toast({ text: text('units.moved', { count }) })
        void queryClient.invalidateQueries({ queryKey: collectionKey(units, ref) })
        onMoved()
      }}
    />
  )
}
