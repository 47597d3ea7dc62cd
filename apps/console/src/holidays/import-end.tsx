import { Button, Checkbox } from '@mantine/core'
import { holidays } from '@portcullis/contract/collections/holidays'
import { AccessEffects } from '../item/access-effects.tsx'
import effects from '../item/access-effects.module.css'
import { client } from '../session/client.ts'
import { fieldErrorText } from '../text/error-text.ts'
import { text } from '../text/text.ts'
import { DialogFoot } from '../ui/dialog-foot.tsx'
import { ImportRows } from './import-rows.tsx'
import type { ImportBody, ImportState } from './use-import.ts'

type Props = {
  /** Undefined while it is not complete. */
  body: ImportBody | undefined
  state: ImportState
  onClose: () => void
}

/** The end of a dialog that imports holidays: what would change, and the button that stores it. */
export function ImportEnd({ body, state, onClose }: Props) {
  const { rows, count, error, isChecking, replaceDates, setReplaceDates, store } = state
  const isNothingNew = !isChecking && rows.length > 0 && count === 0
  const isOfFile = fieldErrorText(error, 'file') !== undefined
  return (
    <>
      <p role="status" className="soft">
        {isChecking && text('holidays.checking')}
        {isNothingNew && text('holidays.nothingToImport')}
      </p>
      {rows.some(({ _id }) => _id !== null) && (
        <Checkbox
          label={text('holidays.replaceDates')}
          description={text('holidays.replaceDatesHint')}
          checked={replaceDates}
          onChange={(event) => setReplaceDates(event.currentTarget.checked)}
        />
      )}
      {rows.length > 0 && <ImportRows rows={rows} />}
      {count > 0 && (
        <div className={effects.inDialog}>
          <AccessEffects
            of={holidays}
            change={JSON.stringify([body, replaceDates])}
            ask={() => body && client.holidays.previewImport({ ...body, replaceDates })}
          />
        </div>
      )}
      <DialogFoot error={isOfFile ? null : error} onCancel={onClose}>
        <Button
          disabled={body === undefined || count === 0 || isChecking}
          loading={store.isPending}
          onClick={() => body && store.mutate(body)}
        >
          {text('holidays.store', { count })}
        </Button>
      </DialogFoot>
    </>
  )
}
