import { Select } from '@mantine/core'
import type { credentials } from '@portcullis/contract/collections/credentials'
import { decodeCard, hasFacility } from '@portcullis/domain/cards/card-format'
import type { KnownFormat } from '../cards/use-card-formats.ts'
import { NumberField, TextField } from '../form/fields.tsx'
import type { ItemForm } from '../form/use-item-form.ts'
import { text } from '../text/text.ts'
import { cardOf } from './card-values.ts'

type Props = { form: ItemForm<typeof credentials>; formats: readonly KnownFormat[] }

/** The number of a card: as a reader reads it, or as it is printed on a card of a format. */
export function CardFields({ form, formats }: Props) {
  const known = formats.find(({ value }) => value === form.values.format)
  const { number, wrong } = cardOf(form.values, formats)
  const isEntered =
    form.values.printed !== null && (!known || !hasFacility(known.format) || form.values.facility !== null)
  const field = form.field('format')
  const taken = number === undefined ? undefined : form.field('number').error
  const atOnce = (name: 'facility' | 'printed') => ({
    error: form.field(name).error ?? (isEntered && wrong?.field === name ? wrong.words : undefined),
  })

  function choose(value: string) {
    const format = formats.find((each) => each.value === value)?.format
    const read = format && decodeCard(format, form.values.number)
    const card = read && !('fault' in read) ? read : { facility: null, printed: null }
    form.set('format', format ? value : null)
    form.set('facility', card.facility)
    form.set('printed', card.printed)
  }

  return (
    <>
      <Select
        label={field.label}
        error={field.error}
        allowDeselect={false}
        value={form.values.format ?? ''}
        onChange={(value) => choose(value ?? '')}
        data={[{ value: '', label: text('credentials.numberOnly') }, ...formats]}
      />
      {known ? (
        <>
          {hasFacility(known.format) && <NumberField field={{ ...form.field('facility'), ...atOnce('facility') }} />}
          <TextField field={{ ...form.field('printed'), ...atOnce('printed') }} />
          <p className={taken ? 'refusal' : 'soft'} aria-live="polite">
            {taken ?? (number && text('credentials.asRead', { number }))}
          </p>
        </>
      ) : (
        <TextField field={form.field('number')} />
      )}
    </>
  )
}
