import { Button, Group, Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { text } from '../../text/text.ts'
import type { BulkAction } from './bulk-action.ts'
import styles from './bulk-dialog.module.css'
import { BulkResults } from './bulk-results.tsx'
import { AccessEffects } from '../../item/access-effects.tsx'
import effectStyles from '../../item/access-effects.module.css'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { useBatch } from './use-batch.ts'
import { client } from '../../session/client.ts'
import { idOf } from '../../item/item-parts.ts'
import { listOf } from '../../text/catalogue.ts'

type Props<T> = {
  action: BulkAction<T>
  items: readonly T[]
  nameOf: (item: T) => string
  onCancel: () => void
  /** Called when closed after the start, with the items that were not done, to be tried again in another way. */
  onClose: (undone: readonly T[]) => void
}

const namesShown = 5

/** Asks for confirmation, acts on each row, shows the result of each, and offers to undo it. */
export function BulkDialog<T>({ action, items, nameOf, onCancel, onClose }: Props<T>) {
  const { title, hint, input, isDangerous, label, effects } = action
  const [value, setValue] = useState<string | null>(null)
  const { batch, undoing } = useUndoableBatch({ action, items, value })
  const canStart = input === undefined || value !== null
  const isUndoing = undoing.phase !== 'asking'
  const shown = isUndoing ? undoing : batch
  const { phase } = shown
  const failed = shown.undone('failed')

  function close() {
    if (phase === 'asking') return onCancel()
    batch.stop()
    undoing.stop()
    onClose(batch.undone('failed', 'cancelled', 'waiting'))
  }

  function words() {
    if (phase === 'asking') return title(items.length)
    return text(isUndoing ? 'list.batch.undoTitle' : 'list.batch.title', { action: label, count: shown.items.length })
  }

  function buttons(): ReactNode {
    if (phase === 'asking') {
      return (
        <>
          <Button variant="default" data-autofocus={!input} onClick={close}>
            {text('action.cancel')}
          </Button>
          <Button color={isDangerous ? 'no' : 'accent'} disabled={!canStart} onClick={() => batch.start(items)}>
            {label}
          </Button>
        </>
      )
    }
    if (phase === 'running') {
      return (
        <Button variant="default" onClick={shown.stop}>
          {text('list.batch.stop')}
        </Button>
      )
    }
    return (
      <>
        {!isUndoing && undoing.items.length > 0 && (
          <Button variant="default" onClick={() => undoing.start(undoing.items)}>
            {text('list.batch.undo', { count: undoing.items.length })}
          </Button>
        )}
        {failed.length > 0 && (
          <Button variant="default" onClick={() => shown.start(failed)}>
            {text('list.batch.retry', { count: failed.length })}
          </Button>
        )}
        <Button onClick={close}>{text('action.close')}</Button>
      </>
    )
  }

  return (
    <Modal
      opened
      onClose={close}
      closeOnClickOutside={phase === 'asking'}
      title={words()}
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      {phase === 'asking' ? (
        <div className={styles.ask}>
          <Names items={items} nameOf={nameOf} />
          {hint && <p className="soft">{typeof hint === 'string' ? hint : hint(items)}</p>}
          {input?.({ value, onChange: setValue })}
          {effects && canStart && items.length <= effects.most && (
            <div className={effectStyles.inDialog}>
              <AccessEffects of={effects.of} change={value} ask={() => effects.ask(items, value)} />
            </div>
          )}
        </div>
      ) : (
        <Progress batch={shown} label={label} nameOf={nameOf} />
      )}
      <Group gap={8} justify="flex-end" mt="md">
        {buttons()}
      </Group>
    </Modal>
  )
}

type ProgressProps<T> = { batch: ReturnType<typeof useBatch<T>>; label: string; nameOf: (item: T) => string }

function Progress<T>({ batch, label, nameOf }: ProgressProps<T>) {
  const { items, counts, outcomeOf } = batch
  return (
    <>
      <ProgressBar label={label} done={counts.over} total={items.length} />
      <p className={styles.counts} role="status">
        <span>{text('list.batch.progress', { done: counts.done, total: items.length })}</span>
        {counts.failed > 0 && <span className="refusal">{text('list.batch.failed', { count: counts.failed })}</span>}
        {counts.cancelled > 0 && (
          <span className="soft">{text('list.batch.notDone', { count: counts.cancelled })}</span>
        )}
      </p>
      <BulkResults items={items} outcomeOf={outcomeOf} nameOf={nameOf} />
    </>
  )
}

/** The first few by name, and the number of others. */
function Names<T>({ items, nameOf }: { items: readonly T[]; nameOf: (item: T) => string }) {
  return (
    <p>
      {items.slice(0, namesShown).map((item, index) => (
        <span key={nameOf(item)}>
          {index > 0 && ', '}
          <bdi>{nameOf(item)}</bdi>
        </span>
      ))}
      {items.length > namesShown && ` ${text('list.batch.more', { count: items.length - namesShown })}`}
    </p>
  )
}

type UseUndoableBatchInput<T> = { action: BulkAction<T>; items: readonly T[]; value: string | null }

/** Acts on many items, and undoes it: one by one, because each is a change of its own. */
function useUndoableBatch<T>({ action, items, value }: UseUndoableBatchInput<T>) {
  const [entries, setEntries] = useState<ReadonlyMap<string, string>>(new Map())

  const batch = useBatch({
    items,
    async run(item: T) {
      const entry = await action.run(item, value)
      if (entry !== undefined) setEntries((current) => new Map(current).set(idOf(item), entry))
      return undefined
    },
  })
  const undoing = useBatch({
    items: items.filter((item) => entries.has(idOf(item))),
    async run(item: T) {
      const { notRestored } = await client.history.undo(entries.get(idOf(item)) ?? '')
      return notRestored.length > 0 ? text('toast.notRestored', { fields: listOf(notRestored) }) : undefined
    },
  })
  return { batch, undoing }
}
