import { Button, CloseButton } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconDownload } from '@tabler/icons-react'
import { text } from '../../text/text.ts'
import { endExport, type RunningExport, retryExport, useExports } from './exports.ts'
import styles from './export-tray.module.css'
import { messageOf } from '../../ui/list-notice.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { BrokenOff } from '../../ui/read-file.ts'
import { locale } from '../../text/language.ts'

const icons = { running: IconDownload, done: IconCheck, failed: IconAlertTriangle } as const

/** The running and finished exports, at the edge of every screen. */
export function ExportTray() {
  const exports = useExports()
  return (
    <div className={styles.tray} role="status">
      {exports.map((each) => (
        <Entry key={each.id} running={each} />
      ))}
    </div>
  )
}

function Entry({ running }: { running: RunningExport }) {
  const { id, name, state, progress, total, error } = running
  const Icon = icons[state]
  return (
    <div className={styles.entry} data-state={state}>
      <Icon size={18} aria-hidden="true" />
      <div className={styles.words}>
        <strong>{titleOf(running)}</strong>
        <span className="second">{state === 'failed' ? failureWords(error) : progressWords(running)}</span>
        {state === 'running' && <ProgressBar label={titleOf(running)} done={progress.rows} total={total ?? 0} />}
      </div>
      {state === 'running' && (
        <Button variant="default" size="xs" onClick={() => endExport(id)}>
          {text('action.cancel')}
        </Button>
      )}
      {state === 'failed' && (
        <Button variant="default" size="xs" onClick={() => retryExport(running)}>
          {text('action.retry')}
        </Button>
      )}
      {state !== 'running' && (
        <CloseButton aria-label={`${text('list.dismiss')}: ${name}`} onClick={() => endExport(id)} />
      )}
    </div>
  )
}

function titleOf({ state, name }: RunningExport) {
  if (state === 'done') return text('list.exported', { name })
  return state === 'failed' ? text('list.exportFailed', { name }) : text('list.exporting', { name })
}

function progressWords({ state, progress, total, fileName = '' }: RunningExport) {
  const size = sizeWords(progress.bytes)
  if (state === 'done') return text('list.exportFile', { file: fileName, size })
  if (progress.rows === undefined) return text('list.exportBytes', { size })
  if (total === undefined) return text('list.exportedSoFar', { count: progress.rows })
  return text('list.exportRows', { done: Math.min(progress.rows, total), total })
}

function failureWords(error: unknown) {
  return error instanceof BrokenOff ? text('list.brokenOff') : messageOf(error)
}

const kilo = new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 })
const mega = new Intl.NumberFormat(locale, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 })

function sizeWords(bytes: number) {
  return bytes < 1_000_000 ? kilo.format(Math.ceil(bytes / 1_000)) : mega.format(bytes / 1_000_000)
}
