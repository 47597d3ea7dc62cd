import { text } from '../../text/text.ts'
import { anyTime, emptyValue, filledValue, type ListFilter, severalOf } from './filters.ts'
import { numberRange } from './number-range.ts'
import { dateAndTime } from '../../time/time-text.ts'
import { isNamedSpan, rangeOf } from './time-span.ts'

/** What a filter is set to, in words; of chosen items how many, for their names are asked elsewhere. */
export function filterWords(filter: ListFilter, value: string | undefined): string {
  if (value === undefined) return text('list.any')
  if (value === emptyValue) return text('list.empty')
  if (value === filledValue) return text('list.filled')
  switch (filter.kind) {
    case 'choice': {
      const labels = severalOf(value).map(
        (each) => filter.choices.find((choice) => choice.value === each)?.label ?? each,
      )
      return labels.length > 2 ? text('list.chosen', { count: labels.length }) : labels.join(', ')
    }
    case 'reference':
      return text('list.chosen', { count: severalOf(value).length })
    case 'yesNo':
      return value === 'yes' ? filter.yes : filter.no
    case 'instant':
      return spanWords(value)
    case 'number':
      return numberWords(value)
    case 'text':
      return value
  }
}

function spanWords(value: string) {
  if (value === anyTime) return text('list.spans.all')
  if (isNamedSpan(value)) return text(`list.spans.${value}`)
  const { from, until } = rangeOf(value) ?? {}
  if (from && until) return text('list.between', { from: minute(from), until: minute(until) })
  return from ? text('list.since', { from: minute(from) }) : text('list.before', { until: until ? minute(until) : '' })
}

function numberWords(value: string) {
  const { from, to } = numberRange(value) ?? {}
  if (from === undefined) return text('list.atMost', { to: to ?? 0 })
  if (to === undefined) return text('list.atLeast', { from })
  return from === to ? text('list.exactly', { from }) : text('list.between', { from, until: to })
}

/** Nobody chooses seconds. */
function minute(iso: string) {
  return dateAndTime(new Date(iso), { now: new Date() }).slice(0, -3)
}
