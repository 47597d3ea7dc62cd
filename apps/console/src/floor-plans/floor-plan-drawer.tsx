import { floorPlans } from '@portcullis/contract/collections/floor-plans'
import { DeleteButton } from '../item/delete-button.tsx'
import { TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { useItemForm } from '../form/use-item-form.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import type { FloorPlan } from './use-placed.ts'

type Props = {
  item: FloorPlan | undefined
  site: string
  onClose: () => void
  onAdded: (id: string) => void
}

/** The name of a floor; a new plan is edited next. */
export function FloorPlanDrawer({ item, site, onClose, onAdded }: Props) {
  const canManage = useCan('manage', floorPlans.subject)
  const form = useItemForm({
    of: floorPlans,
    item,
    initial: { site },
    onSaved: ({ _id }) => {
      onClose()
      if (!item) onAdded(_id)
    },
  })
  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text('floorPlans.add')}
      canSave={canManage}
      onClose={onClose}
      aside={
        canManage &&
        item && (
          <DeleteButton
            of={floorPlans}
            id={item._id}
            name={item.name}
            hint={text('floorPlans.deleteHint')}
            onDeleted={onClose}
          />
        )
      }
    >
      <TextField field={form.field('name')} />
    </ItemDrawer>
  )
}
