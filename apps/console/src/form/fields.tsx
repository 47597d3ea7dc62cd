import { NumberInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { Collection } from '@portcullis/contract/collection'
import type { Filter } from '@portcullis/contract/list-query'
import { ReferencePicker, ReferencesPicker, type Second } from './reference-picker.tsx'
import type { FieldOf } from './use-item-form.ts'

// The inputs of forms. Each takes `field={form.field('name')}`, so that a field of the wrong type does not compile, and shows its
// label, its error (the form's or the server's) and whether it is required.

/** By default the label and the description of the field. */
type Shared = { label?: string; description?: string; placeholder?: string }

/** A line of text. An emptied optional field becomes null. */
export function TextField({
  field,
  type,
  ...shared
}: Shared & { field: FieldOf<string | null>; type?: 'email' | 'text' }) {
  return (
    <TextInput
      type={type ?? 'text'}
      {...inputPropsOf(field)}
      {...shared}
      value={field.value ?? ''}
      onChange={(event) => field.onChange(emptied(field, event.currentTarget.value))}
    />
  )
}

/** Several lines of text. */
export function LongTextField({ field, ...shared }: Shared & { field: FieldOf<string | null> }) {
  return (
    <Textarea
      autosize
      minRows={2}
      {...inputPropsOf(field)}
      {...shared}
      value={field.value ?? ''}
      onChange={(event) => field.onChange(emptied(field, event.currentTarget.value))}
    />
  )
}

/** A whole number, with its unit behind it (`s`). */
export function NumberField({ field, unit, ...shared }: Shared & { field: FieldOf<number | null>; unit?: string }) {
  return (
    <NumberInput
      allowDecimal={false}
      hideControls
      inputMode="numeric"
      suffix={unit ? ` ${unit}` : ''}
      {...inputPropsOf(field)}
      {...shared}
      value={field.value ?? ''}
      onChange={(value) => field.onChange(typeof value === 'number' ? value : null)}
    />
  )
}

/** Yes or no. */
export function SwitchField({ field, ...shared }: Shared & { field: FieldOf<boolean> }) {
  return (
    <Switch
      name={field.name}
      label={field.label}
      description={field.hint}
      error={field.error}
      disabled={field.isFixed}
      {...shared}
      checked={field.value}
      onChange={(event) => field.onChange(event.currentTarget.checked)}
    />
  )
}

/** One of a few: `choices` are the values with their labels. */
export function ChoiceField<T extends string>({
  field,
  choices,
  ...shared
}: Shared & { field: FieldOf<T>; choices: readonly { value: T; label: string }[] }) {
  return (
    <Select
      {...inputPropsOf(field)}
      {...shared}
      allowDeselect={false}
      data={[...choices]}
      value={field.value}
      onChange={(next) => {
        const choice = choices.find(({ value }) => value === next)
        if (choice) field.onChange(choice.value)
      }}
    />
  )
}

/** Short texts: the calendars of a site. */
export function WordsField({ field, ...shared }: Shared & { field: FieldOf<string[]> }) {
  return (
    <TagsInput {...inputPropsOf(field)} {...shared} value={field.value} onChange={(words) => field.onChange(words)} />
  )
}

/** One item of another collection, by its name. */
export function ReferenceField({
  field,
  ...shared
}: Shared & { of: Collection; filter?: Filter; field: FieldOf<string | null> }) {
  return (
    <ReferencePicker
      label={field.label}
      description={field.hint}
      {...shared}
      isRequired={field.isRequired}
      isDisabled={field.isFixed}
      error={field.error}
      value={field.value || null}
      onChange={(id) => field.onChange(id)}
    />
  )
}

/** Any number of items of another collection. */
export function ReferencesField({
  field,
  ...shared
}: Shared & { of: Collection; filter?: Filter; second?: Second; field: FieldOf<string[]> }) {
  return (
    <ReferencesPicker
      label={field.label}
      description={field.hint}
      {...shared}
      isRequired={field.isRequired}
      isDisabled={field.isFixed}
      error={field.error}
      value={field.value}
      onChange={(ids) => field.onChange(ids)}
    />
  )
}

function inputPropsOf({ name, label, hint, error, isRequired, isFixed }: Omit<FieldOf<unknown>, 'value' | 'onChange'>) {
  return { name, label, description: hint, error, required: isRequired, disabled: isFixed }
}

/** An emptied text is absent if the field is optional, and empty otherwise: then the check requires it. */
function emptied(field: FieldOf<string | null>, value: string) {
  return value === '' && field.isNullable ? null : value
}
