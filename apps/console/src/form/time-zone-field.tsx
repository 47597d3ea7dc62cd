import { Select } from '@mantine/core'
import { useState } from 'react'
import { zoneInWords } from '../time/time-text.ts'
import type { FieldOf } from './use-item-form.ts'

/** An IANA time zone, found by its name or its offset: `joh`, `UTC+2`. */
export function TimeZoneField({ field }: { field: FieldOf<string> }) {
  const [zones] = useState(timeZones)
  const isListed = zones.some(({ value }) => value === field.value) || field.value === ''
  return (
    <Select
      label={field.label}
      description={field.hint}
      name={field.name}
      error={field.error}
      required={field.isRequired}
      disabled={field.isFixed}
      searchable
      allowDeselect={false}
      limit={80}
      maxDropdownHeight={300}
      data={isListed ? zones : [...zones, { value: field.value, label: field.value }]}
      value={field.value || null}
      onChange={(zone) => zone && field.onChange(zone)}
    />
  )
}

function timeZones() {
  const now = new Date()
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
    value,
    label: value === 'UTC' ? 'UTC' : `${value.replaceAll('_', ' ')} ${offsetOf(zoneInWords(value, now))}`,
  }))
}

function offsetOf(words: string) {
  return words.slice(words.lastIndexOf('('))
}
