import { Button, Group } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { text } from '../text/text.ts'
import styles from './conflict-notice.module.css'
import { part } from './item-parts.ts'

type Props = {
  conflict: { item: unknown; names: readonly string[] }
  labels: Readonly<Record<string, string>>
  isSaving: boolean
  onLoadTheirs: () => void
  onSaveMine: () => void
}

/** Somebody else saved first: what they changed, and the two ways out. */
export function ConflictNotice({ conflict, labels, isSaving, onLoadTheirs, onSaveMine }: Props) {
  return (
    <div className={styles.notice} role="alert">
      <IconAlertTriangle size={17} aria-hidden="true" />
      <div>
        <b>{text('form.conflict')}</b>
        <ul>
          {conflict.names.map((name) => (
            <li key={name}>
              {text('form.conflictField', { field: labels[name] ?? name, value: inWords(part(conflict.item, name)) })}
            </li>
          ))}
        </ul>
        <Group gap={8}>
          <Button size="xs" variant="default" onClick={onLoadTheirs}>
            {text('form.loadTheirs')}
          </Button>
          <Button size="xs" loading={isSaving} onClick={onSaveMine}>
            {text('form.saveMine')}
          </Button>
        </Group>
      </div>
    </div>
  )
}

function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return text('form.none')
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  return text('form.different')
}
