import { Button, FileInput, Modal, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type HolidayKind, holidayKinds } from '@portcullis/domain/policy'
import { useState } from 'react'
import { fieldErrorText } from '../text/error-text.ts'
import { text } from '../text/text.ts'
import { ImportEnd } from './import-end.tsx'
import { useImport } from './use-import.ts'

/** Imports holidays from a file of another calendar program, after it has shown what would change. */
export function ImportFile() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {text('holidays.import')}
      </Button>
      {isOpen && <ImportDialog onClose={() => setOpen(false)} />}
    </>
  )
}

const typingMs = 400

function ImportDialog({ onClose }: { onClose: () => void }) {
  const [file, setFile] = useState<{ source: File; content: string } | null>(null)
  const [calendar, setCalendar] = useState('')
  const [kind, setKind] = useState<HolidayKind>('public')
  const [into] = useDebouncedValue(calendar.trim(), typingMs)
  const body = file ? { file: file.content, calendar: into === '' ? null : into, kind } : undefined
  const state = useImport(body, onClose)
  const isCurrent = into === calendar.trim()

  async function select(source: File | null) {
    setFile(source && { source, content: await source.text() })
  }

  return (
    <Modal opened onClose={onClose} title={text('holidays.importTitle')} withCloseButton={false}>
      <Stack gap={12}>
        <FileInput
          label={text('holidays.file')}
          description={text('holidays.fileHint')}
          accept=".ics,text/calendar"
          error={fieldErrorText(state.error, 'file')}
          value={file?.source ?? null}
          onChange={(source) => void select(source)}
        />
        <TextInput
          label={text('holidays.into')}
          description={text('holidays.intoHint')}
          maxLength={60}
          value={calendar}
          onChange={(event) => setCalendar(event.currentTarget.value)}
        />
        <NativeSelect
          label={text('holidays.fileKind')}
          data={holidayKinds.map((value) => ({ value, label: text(`holidays.kinds.${value}`) }))}
          value={kind}
          onChange={(event) => setKind(holidayKinds.find((each) => each === event.currentTarget.value) ?? 'public')}
        />
      </Stack>
      <ImportEnd body={isCurrent ? body : undefined} state={state} onClose={onClose} />
    </Modal>
  )
}
