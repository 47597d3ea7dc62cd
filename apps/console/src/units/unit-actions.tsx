import type { EntityOf } from '@portcullis/contract/collection'
import { accounts } from '@portcullis/contract/collections/accounts'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { ReferencePicker } from '../form/reference-picker.tsx'
import { deleteAction, patchAction, type SelectionAction } from '../list/bulk/bulk-action.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { MoveUnitsDialog } from './move-units-dialog.tsx'

type Unit = EntityOf<typeof units>

/** The bulk actions on controllers that this user may perform. */
export function useUnitActions(): readonly SelectionAction<Unit>[] {
  const [seesSites, managesSites] = [useCan('view', sites.subject), useCan('manage', sites.subject)]
  const [seesAccounts, managesAccess] = [useCan('view', accounts.subject), useCan('manage', 'Access Control')]
  if (!useCan('manage', units.subject)) return []
  return [
    ...(seesSites ? [setSite] : []),
    ...actions,
    ...(managesSites && managesAccess && seesAccounts ? [moveUnits] : []),
    deleteAction({ of: units, title: (count) => text('bulk.delete.units', { count }) }),
  ]
}

const moveUnits: SelectionAction<Unit> = {
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
