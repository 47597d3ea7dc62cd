import { Input } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import { reports } from '@portcullis/contract/collections/reports'
import type { Filter } from '@portcullis/contract/list-query'
import { type ReactNode, useState } from 'react'
import { DeleteButton } from '../item/delete-button.tsx'
import { TextField } from '../form/fields.tsx'
import { FilterBar } from '../list/filters/filter-bar.tsx'
import type { FilterValues, ListFilter } from '../list/filters/filters.ts'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { useItemForm } from '../form/use-item-form.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './report-drawer.module.css'
import { storedFilter, valuesOfFilter } from './report-filter.ts'
import { ReportSummary } from './report-summary.tsx'

export type Report = EntityOf<typeof reports>

export type Covered = { filter: Filter; name: string; address: FilterValues | undefined }

type Props = {
  item: Report | undefined
  onClose: () => void
  filters: readonly ListFilter[]
  /** The initial filter of a new report. */
  initial: FilterValues
  /** Renders the events that such a filter finds. */
  eventsOf: (covered: Covered) => ReactNode
}

/** An incident report: its name, the filter of its events, and these events as they are found now. */
export function ReportDrawer({ item, onClose, filters, initial, eventsOf }: Props) {
  const canManage = useCan('manage', 'Incident Reports')
  const seesEvents = useCan('view', 'Access Events')
  const [initialValues] = useState(() => ({ filter: storedFilter(filters, initial, new Date()) }))
  const form = useItemForm({
    of: reports,
    item,
    initial: initialValues,
    onSaved: onClose,
  })
  const filter = form.values.filter ?? {}
  const values = valuesOfFilter(filters, filter)
  const name = form.values.name || text('reports.title')

  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text('reports.add')}
      canSave={canManage}
      onClose={onClose}
      width={860}
      aside={canManage && item && <DeleteButton of={reports} id={item._id} name={item.name} onDeleted={onClose} />}
      after={
        seesEvents ? (
          eventsOf({ filter, name, address: values })
        ) : (
          <p className="soft">{text('reports.eventsHidden')}</p>
        )
      }
    >
      <TextField field={form.field('name')} placeholder={text('reports.namePlaceholder')} />
      <Input.Wrapper label={form.field('filter').label} labelElement="div" error={form.field('filter').error}>
        {values === undefined || !canManage ? (
          <p>
            <ReportSummary filters={filters} filter={filter} />
          </p>
        ) : (
          // The filters have forms of their own, whose events would reach the form around them.
          <div className={styles.filters} onSubmit={(event) => event.stopPropagation()}>
            <FilterBar
              filters={filters}
              values={values}
              onChange={(next) => form.set('filter', storedFilter(filters, next, new Date()))}
            />
          </div>
        )}
      </Input.Wrapper>
    </ItemDrawer>
  )
}
