import { Button, Group, Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { text } from '../text/text.ts'
import type { BulkAction } from './bulk-action.ts'
import styles from './bulk-dialog.module.css'
import { BulkResults } from './bulk-results.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { useBatch } from './use-batch.ts'

type Props<T> = {
  action: BulkAction<T>
  items: readonly T[]
  nameOf: (item: T) => string
  /** Closed; told which items were not done, to be tried again in another way. */
  onClose: (undone: readonly T[]) => void
}

const namesShown = 5

/** Asks, does it to each row, and says of each what became of it. */
export function BulkDialog<T>({ action, items, nameOf, onClose }: Props<T>) {
  const { title, hint, input, isDangerous, label, run } = action
  const [value, setValue] = useState<string | null>(null)
  const batch = useBatch({ items, run: (item: T) => run(item, value) })
  const { phase, counts } = batch
  const failed = batch.undone('failed')

  function close() {
    batch.stop()
    onClose(batch.undone('failed', 'cancelled', 'waiting'))
  }

  function buttons(): ReactNode {
    if (phase === 'asking') {
      return (
        <>
          <Button variant="default" data-autofocus={!input} onClick={close}>
            {text('action.cancel')}
          </Button>
          <Button
            color={isDangerous ? 'no' : 'accent'}
            disabled={input !== undefined && value === null}
            onClick={() => batch.start(items)}
          >
            {label}
          </Button>
        </>
      )
    }
    if (phase === 'running') {
      return (
        <Button variant="default" onClick={batch.stop}>
          {text('list.batch.stop')}
        </Button>
      )
    }
    return (
      <>
        {failed.length > 0 && (
          <Button variant="default" onClick={() => batch.start(failed)}>
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
      title={
        phase === 'asking' ? title(items.length) : text('list.batch.title', { action: label, count: items.length })
      }
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      {phase === 'asking' ? (
        <div className={styles.ask}>
          <Names items={items} nameOf={nameOf} />
          {hint && <p className="soft">{hint}</p>}
          {input?.({ value, onChange: setValue })}
        </div>
      ) : (
        <>
          <ProgressBar label={label} done={counts.over} total={items.length} />
          <p className={styles.counts} role="status">
            <span>{text('list.batch.progress', { done: counts.done, total: items.length })}</span>
            {counts.failed > 0 && (
              <span className="refusal">{text('list.batch.failed', { count: counts.failed })}</span>
            )}
            {counts.cancelled > 0 && (
              <span className="soft">{text('list.batch.notDone', { count: counts.cancelled })}</span>
            )}
          </p>
          <BulkResults items={items} outcomeOf={batch.outcomeOf} nameOf={nameOf} />
        </>
      )}
      <Group gap={8} justify="flex-end" mt="md">
        {buttons()}
      </Group>
    </Modal>
  )
}

/** The first few by name, and how many more. */
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
