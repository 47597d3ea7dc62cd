import type { EntityOf } from '@portcullis/contract/collection'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { type BulkAction, deleteAction, patchAction } from '../list/bulk/bulk-action.ts'
import { ReferencePicker } from '../form/reference-picker.tsx'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'

type Unit = EntityOf<typeof units>

/** What this person may do to many controllers at once. */
export function useUnitActions(): readonly BulkAction<Unit>[] {
  const seesSites = useCan('view', 'Sites')
  if (!useCan('manage', 'Controllers')) return []
  return seesSites ? [setSite, ...actions] : actions
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

const actions: readonly BulkAction<Unit>[] = [
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
  deleteAction({ of: units, title: (count) => text('bulk.delete.units', { count }) }),
]
