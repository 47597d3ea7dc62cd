import type { Filter } from '@portcullis/contract/list-query'
import { Fragment } from 'react'
import { FilterValue } from '../list/filters/filter-chip.tsx'
import { anyTime, type ListFilter } from '../list/filters/filters.ts'
import { text } from '../text/text.ts'
import { valuesOfFilter } from './report-filter.ts'

/** The filter of a report, in a line: `Outcome Denied · Door Freezer 4`. */
export function ReportSummary({ filters, filter }: { filters: readonly ListFilter[]; filter: Filter }) {
  const values = valuesOfFilter(filters, filter)
  if (values === undefined) return <span className="soft">{text('reports.ownFilter')}</span>
  const set = filters.filter(({ name }) => values[name] !== undefined && values[name] !== anyTime)
  if (set.length === 0) return <span className="soft">{text('reports.everything')}</span>
  return (
    <>
      {set.map((each, index) => (
        <Fragment key={each.name}>
          {index > 0 && ' · '}
          <span className="soft">{each.label}</span> <FilterValue filter={each} value={values[each.name]} />
        </Fragment>
      ))}
    </>
  )
}
