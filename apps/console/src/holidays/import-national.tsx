import { Button, Checkbox, Modal, NativeSelect, Select, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { OutputOf } from '@portcullis/contract/call'
import type { nationalHolidays } from '@portcullis/contract/calls/national-holidays'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../session/client.ts'
import { serverNow } from '../session/server-clock.ts'
import { language } from '../text/language.ts'
import { text } from '../text/text.ts'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { datesInWords } from './dates-in-words.ts'
import { ImportEnd } from './import-end.tsx'
import styles from './import-national.module.css'
import { useImport } from './use-import.ts'

/** Imports the national holidays of a country or region. */
export function ImportNational() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {text('holidays.national')}
      </Button>
      {isOpen && <NationalDialog onClose={() => setOpen(false)} />}
    </>
  )
}

type National = OutputOf<typeof nationalHolidays>['holidays'][number]

const yearCounts = [1, 2, 3, 5, 10] as const
const typingMs = 400

function NationalDialog({ onClose }: { onClose: () => void }) {
  const [country, setCountry] = useState<string | null>(null)
  const [region, setRegion] = useState<string | null>(null)
  const [years, setYears] = useState(3)
  const [calendar, setCalendar] = useState('')
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [into] = useDebouncedValue(calendar.trim(), typingMs)
  const { data, error, refetch } = useNational({ country, region, years })
  const isSelected = ({ type, holiday }: National) => changed.get(holiday.name) ?? type === 'public'
  const selected = (data?.holidays ?? []).filter(isSelected).map(({ holiday }) => holiday)
  const body = selected.length > 0 ? { holidays: selected, calendar: into === '' ? null : into } : undefined
  const state = useImport(body, onClose)

  function selectCountry(code: string | null) {
    setCountry(code)
    setRegion(null)
    setChanged(new Map())
    setCalendar(code ?? '')
  }

  return (
    <Modal opened onClose={onClose} title={text('holidays.nationalTitle')} withCloseButton={false}>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <Stack gap={12}>
        <Select
          label={text('holidays.country')}
          searchable
          data={optionsOf(data?.countries)}
          value={country}
          onChange={selectCountry}
        />
        {data && data.regions.length > 0 && (
          <Select
            label={text('holidays.region')}
            placeholder={text('holidays.wholeCountry')}
            searchable
            clearable
            data={optionsOf(data.regions)}
            value={region}
            onChange={setRegion}
          />
        )}
        <NativeSelect
          label={text('holidays.years')}
          data={yearCounts.map((count) => ({ value: `${count}`, label: text('holidays.yearCount', { count }) }))}
          value={`${years}`}
          onChange={(event) => setYears(Number(event.currentTarget.value))}
        />
        <TextInput
          label={text('holidays.into')}
          description={text('holidays.intoHint')}
          maxLength={60}
          value={calendar}
          onChange={(event) => setCalendar(event.currentTarget.value)}
        />
      </Stack>
      <fieldset className={styles.choices} aria-label={text('holidays.nationalTitle')}>
        {data?.holidays.map((each) => (
          <Checkbox
            key={each.holiday.name}
            label={each.holiday.name}
            description={`${text(`holidays.types.${each.type}`)} · ${datesInWords(each.holiday.dates)}`}
            checked={isSelected(each)}
            onChange={(event) => setChanged(new Map(changed).set(each.holiday.name, event.currentTarget.checked))}
          />
        ))}
      </fieldset>
      <p className={styles.source}>{text('holidays.nationalSource')}</p>
      <ImportEnd body={into === calendar.trim() ? body : undefined} state={state} onClose={onClose} />
    </Modal>
  )
}

type Choice = { country: string | null; region: string | null; years: number }

function useNational({ country, region, years }: Choice) {
  const from = new Date(serverNow()).getUTCFullYear()
  const query = { country: country ?? undefined, region: region ?? undefined, from, until: from + years - 1 }
  return useQuery({
    queryKey: ['national holidays', query],
    queryFn: ({ signal }) => client.holidays.national({ ...query, language: language }, { signal }),
    placeholderData: keepPreviousData,
  })
}

function optionsOf(choices: readonly { code: string; name: string }[] = []) {
  return choices.map(({ code, name }) => ({ value: code, label: name }))
}
