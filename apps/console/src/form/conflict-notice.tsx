import { Button, Group } from '@mantine/core'
import type { Collection } from '@portcullis/contract/collection'
import { IconAlertTriangle } from '@tabler/icons-react'
import { fieldLabel } from '../text/field-label.ts'
import { text } from '../text/text.ts'
import styles from './conflict-notice.module.css'
import { FieldValue } from '../item/field-value.tsx'

/** One field that another user changed while it was edited here. */
export type ContestedField = { name: string; before: unknown; saved: unknown; edited: unknown; isInConflict: boolean }

type Props = {
  of: Collection
  fields: readonly ContestedField[]
  isSaving: boolean
  onLoadSaved: () => void
  onSaveEdited: () => void
}

/** Another user saved first: each field with its previous value, their value and this user's value, and two ways to continue. */
export function ConflictNotice({ of, fields, isSaving, onLoadSaved, onSaveEdited }: Props) {
  const isContested = fields.some(({ isInConflict }) => isInConflict)
  return (
    <div className={styles.notice} role="alert">
      <IconAlertTriangle size={17} aria-hidden="true" />
      <div className={styles.words}>
        <b>{text('conflict.title', { count: fields.length })}</b>
        {/* Explicit roles, because a drawer is too narrow for the layout of a table. */}
        <div role="table" className={styles.fields}>
          <div role="row" className={styles.head}>
            <span role="columnheader">{text('conflict.field')}</span>
            <span role="columnheader">{text('conflict.before')}</span>
            <span role="columnheader">{text('conflict.theirs')}</span>
            <span role="columnheader">{text('conflict.mine')}</span>
          </div>
          {fields.map(({ name, before, saved, edited, isInConflict }) => (
            <div role="row" key={name} className={styles.row} data-contested={isInConflict ? '' : undefined}>
              <b role="rowheader">{fieldLabel(of.name, name)}</b>
              <span role="cell">
                <FieldValue of={of} field={name} value={before} />
              </span>
              <span role="cell">
                <FieldValue of={of} field={name} value={saved} />
              </span>
              <span role="cell">
                {isInConflict ? <FieldValue of={of} field={name} value={edited} /> : text('conflict.unchanged')}
              </span>
            </div>
          ))}
        </div>
        <p>{text(isContested ? 'conflict.mineToo' : 'conflict.mineApart')}</p>
        <Group gap={8}>
          <Button size="xs" variant="default" onClick={onLoadSaved}>
            {text('conflict.loadTheirs')}
          </Button>
          <Button size="xs" loading={isSaving} onClick={onSaveEdited}>
            {text(isContested ? 'conflict.saveMine' : 'conflict.saveBoth')}
          </Button>
        </Group>
      </div>
    </div>
  )
}
