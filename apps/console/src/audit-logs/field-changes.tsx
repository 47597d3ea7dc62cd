import { collections } from '@portcullis/contract/collections/registry'
import type { Collection } from '@portcullis/contract/collection'
import { part } from '../item/item-parts.ts'
import { fieldLabel } from '../text/field-label.ts'
import { text } from '../text/text.ts'
import { collectionOf, type Entry, fieldsOf } from './audit-entry.ts'
import { AuditValue } from './audit-value.tsx'
import styles from './field-changes.module.css'
import { metaOf } from '@portcullis/contract/fields'
import type { z } from 'zod'

/** A change, field by field: before and after side by side, one above the other on a phone. */
export function FieldChanges({ entry }: { entry: Entry }) {
  const fields = fieldsOf(entry)
  if (fields.length === 0) return <p className="soft">{text('audit.nothingShown')}</p>
  const sides = sidesOf(entry)
  // An export is described with the texts of the export, not with those of the list.
  const of = entry.action === 'export' ? collections.auditLogs : (collectionOf(entry) ?? collections.auditLogs)
  return (
    <div role="table" className={styles.table} data-sides={sides.length} aria-label={text('audit.changes')}>
      <div role="row" className={styles.head}>
        <span role="columnheader">{text('audit.field')}</span>
        {sides.map(({ label }) => (
          <span role="columnheader" key={label}>
            {label}
          </span>
        ))}
      </div>
      {fields.map((field) => (
        <div role="row" key={field} className={styles.row}>
          <b role="rowheader">{fieldLabel(entry.collection, field)}</b>
          {sides.map(({ key, label }) => (
            <span role="cell" key={key} data-side={key} data-label={label}>
              <Side entry={entry} of={of} field={field} side={key} />
            </span>
          ))}
        </div>
      ))}
    </div>
  )
}

type SideProps = { entry: Entry; of: Collection; field: string; side: 'before' | 'after' }

/** Of members only added and removed ones are shown: a group may have thousands of others. */
function Side({ entry, of, field, side }: SideProps) {
  const [before, after] = [part(entry.before, field), part(entry.after, field)]
  const change = entry.action === 'patch' ? linkChange(of, { field, before, after }) : undefined
  if (!change) return <AuditValue of={of} field={field} value={side === 'before' ? before : after} />
  const shown = side === 'before' ? change.removed : change.added
  const hasUnchanged = side === 'after' && change.unchanged > 0
  return (
    <>
      {(shown.length > 0 || !hasUnchanged) && <AuditValue of={of} field={field} value={shown} />}
      {hasUnchanged && <span className="second">{text('audit.unchanged', { count: change.unchanged })}</span>}
    </>
  )
}

function sidesOf({ action }: Entry): { key: 'before' | 'after'; label: string }[] {
  const before = { key: 'before' as const, label: text('audit.before') }
  const after = { key: 'after' as const, label: text('audit.after') }
  if (action === 'create') return [{ ...after, label: text('audit.wasSet') }]
  if (action === 'delete') return [{ ...before, label: text('audit.wasHeld') }]
  return action === 'export' ? [{ ...after, label: text('audit.exportRequest') }] : [before, after]
}

type Change = { field: string; before: unknown; after: unknown }

/** The added and removed entries of a field of links, and how many stayed; undefined for other fields. */
function linkChange(of: Collection, { field, before, after }: Change) {
  const shape: Readonly<Record<string, z.core.$ZodType>> = of.entitySchema.shape
  const schema = shape[field]
  if (!schema || metaOf(schema)?.kind !== 'links') return undefined
  const [was, is] = [entriesOf(before), entriesOf(after)]
  return {
    removed: [...was].flatMap(([key, value]) => (is.has(key) ? [] : [value])),
    added: [...is].flatMap(([key, value]) => (was.has(key) ? [] : [value])),
    unchanged: [...is.keys()].filter((key) => was.has(key)).length,
  }
}

/** Compared by id alone: an item appears once in such a field. */
function entriesOf(value: unknown): Map<string, unknown> {
  if (!Array.isArray(value)) return new Map()
  const values: readonly unknown[] = value
  return new Map(values.map((entry) => [typeof entry === 'string' ? entry : JSON.stringify(entry), entry]))
}
