import type { EntityOf } from '@portcullis/contract/collection'
import { accounts } from '@portcullis/contract/collections/accounts'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { ReferencePicker } from '../form/reference-picker.tsx'
import { deleteAction, type DialogAction, patchAction, type SelectionAction } from '../list/bulk/bulk-action.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { MoveUnitsDialog } from './move-units-dialog.tsx'

type Unit = EntityOf<typeof units>

/** The bulk actions on controllers that this user may perform. */
export function useUnitActions(): readonly SelectionAction<Unit>[] {
  const seesSites = useCan('view', sites.subject)
  const move = useMoveUnits()
  if (!useCan('manage', units.subject)) return []
  return [
    ...(seesSites ? [setSite] : []),
    ...actions,
    ...(move ? [move] : []),
    deleteAction({ of: units, title: (count) => text('bulk.delete.units', { count }) }),
  ]
}

/** The move of controllers to another account, for users who may move them. */
export function useMoveUnits(): DialogAction<Unit> | undefined {
  const [managesUnits, managesSites] = [useCan('manage', units.subject), useCan('manage', sites.subject)]
  const [seesAccounts, managesAccess] = [useCan('view', accounts.subject), useCan('manage', 'Access Control')]
  return managesUnits && managesSites && managesAccess && seesAccounts ? moveUnits : undefined
}

const moveUnits: DialogAction<Unit> = {
  key: 'move',
  label: text('units.move'),
  dialog: ({ items, onCancel, onDone }) => <MoveUnitsDialog items={items} onClose={onCancel} onMoved={onDone} />,
}

const setSite = patchAction({
  of: units,
  key: 'site',
  label: text('bulk.setSite'),
  title: (count) => text('bulk.setSiteTitle', { count }),
  input: ({ value, onChange }) => (
    <ReferencePicker of={sites} label={text('units.site')} isRequired value={value} onChange={onChange} />
  ),
  changes: (_unit, site) => ({ site }),
})

const actions: readonly SelectionAction<Unit>[] = [
  patchAction({
    of: units,
    key: 'in',
    label: text('bulk.intoService'),
    title: (count) => text('bulk.intoServiceTitle', { count }),
    changes: () => ({ inService: true }),
  }),
  patchAction({
    of: units,
    key: 'out',
    label: text('bulk.outOfService'),
    title: (count) => text('bulk.outOfServiceTitle', { count }),
    hint: text('units.inServiceHint'),
    changes: () => ({ inService: false }),
  }),
]
