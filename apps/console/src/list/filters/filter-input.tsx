import { Checkbox } from '@mantine/core'
import { text } from '../../text/text.ts'
import styles from './filter-input.module.css'
import { emptyValue, filledValue, type ListFilter, severalOf } from './filters.ts'
import { NumberRangeInput } from './number-range-input.tsx'
import { OptionList } from './option-list.tsx'
import { ReferencesPicker } from '../../form/reference-picker.tsx'
import { TextFilterInput } from './text-filter-input.tsx'
import { TimeSpanInput } from './time-span-input.tsx'

export type FilterInputProps<F extends ListFilter = ListFilter> = {
  filter: F
  value: string | undefined
  onChange: (value: string | undefined) => void
  /** Called when the selection is complete. */
  onDone: () => void
}

/** The input for a filter's kind of value, and for "empty" where a field may be empty. */
export function FilterInput(props: FilterInputProps) {
  const { filter, value, onChange } = props
  return (
    <div className={styles.input}>
      <KindInput {...props} />
      {filter.isNullable && (
        <OptionList
          label={filter.label}
          value={value}
          options={[
            { value: emptyValue, label: text('list.isEmpty') },
            { value: filledValue, label: text('list.isFilled') },
          ]}
          onChange={onChange}
        />
      )}
    </div>
  )
}

function KindInput({ filter, value, onChange, onDone }: FilterInputProps) {
  switch (filter.kind) {
    case 'choice':
      return (
        <div role="group" aria-label={filter.label} className={styles.choices}>
          {filter.choices.map((choice) => (
            <Checkbox
              key={choice.value}
              size="xs"
              label={choice.label}
              checked={severalOf(value).includes(choice.value)}
              onChange={() => onChange(toggled(filter, { value, choice: choice.value }))}
            />
          ))}
        </div>
      )
    case 'reference':
      return (
        <ReferencesPicker
          of={filter.of}
          label={filter.label}
          value={severalOf(value)}
          comboboxProps={{ withinPortal: false }}
          onChange={(ids) => onChange(ids.join(',') || undefined)}
        />
      )
    case 'yesNo':
      return (
        <OptionList
          label={filter.label}
          value={value}
          options={[
            { value: 'yes', label: filter.yes },
            { value: 'no', label: filter.no },
          ]}
          onChange={onChange}
        />
      )
    case 'instant':
      return <TimeSpanInput key={value} {...{ filter, value, onChange, onDone }} />
    case 'number':
      return <NumberRangeInput key={value} {...{ filter, value, onChange, onDone }} />
    case 'text':
      return <TextFilterInput key={value} {...{ filter, value, onChange, onDone }} />
  }
}

/** The selected values with one more or one less, in the order of the options. */
function toggled(
  filter: ListFilter & { kind: 'choice' },
  { value, choice }: { value: string | undefined; choice: string },
) {
  const chosen = new Set(severalOf(value))
  if (!chosen.delete(choice)) chosen.add(choice)
  const values = filter.choices.map((each) => each.value).filter((each) => chosen.has(each))
  return values.join(',') || undefined
}
