import { Button } from '@mantine/core'
import type { AccessMatrix } from '@portcullis/contract/calls/access-matrix'
import { maxMatrixRules } from '@portcullis/contract/calls/access-matrix'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { sites } from '@portcullis/contract/collections/sites'
import type { WhereKind } from '@portcullis/domain/policy'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { LeaveOrStay } from '../form/leave-or-stay.tsx'
import { ReferencePicker } from '../form/reference-picker.tsx'
import { AccessEffects } from '../item/access-effects.tsx'
import { collectionKey } from '../item/keys.ts'
import { undoAll } from '../item/undo-all.ts'
import { useNames } from '../item/use-names.ts'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { messageOf } from '../ui/list-notice.tsx'
import { toast } from '../ui/toasts.ts'
import { cellsOf, type Edits, withEdits } from './matrix-cells.ts'
import { type Access, batchOf, type Edit } from './matrix-edits.ts'
import { MatrixGrid, type Named, type Pair } from './matrix-grid.tsx'
import styles from './matrix.module.css'

type Props = {
  kind: WhereKind
  groups: readonly Named[]
  places: readonly (Named & { site?: string })[]
  matrix: AccessMatrix
  edits: Edits
  onEdit: (edits: Edits) => void
}

const none: Edits = new Map()

/** The grid, the buttons that set the selected cells, and the bar that saves the changes in one step. */
export function MatrixEditor({ kind, groups, places, matrix, edits, onEdit }: Props) {
  const canManage = useCan('manage', 'Access Control')
  const [earlier, setEarlier] = useState<readonly Edits[]>([])
  const [selected, setSelected] = useState<readonly Pair[]>([])
  const shown = { groups: groups.map(({ _id }) => _id), places: places.map(({ _id }) => _id) }
  const saved = cellsOf({ ...shown, ...matrix, edits: none })
  const cells = cellsOf({ ...shown, ...matrix, edits })
  const scheduleName = useScheduleName({ matrix, edits })
  const siteNames = useNames(sites, [...new Set(places.flatMap(({ site }) => site ?? []))])
  const canEdit = canManage && matrix.isWhole

  function change(pairs: readonly (Pair & { access: Access })[]) {
    if (!canEdit || pairs.length === 0) return
    const next = withEdits({
      edits,
      pairs: pairs.map(({ group, place, access }) => ({ group, place: { kind, id: place }, access })),
      saved,
    })
    setEarlier([...earlier, edits])
    onEdit(next)
  }

  function undo() {
    const last = earlier.at(-1)
    if (!last) return
    setEarlier(earlier.slice(0, -1))
    onEdit(last)
  }

  const set = (access: Access) => change(selected.map((pair) => ({ ...pair, access })))

  function discard() {
    setEarlier([])
    onEdit(none)
  }

  return (
    <>
      {!matrix.isWhole && (
        <p role="status" className={styles.tooMany}>
          {text('matrix.tooMany', { most: maxMatrixRules })}
        </p>
      )}
      {canEdit && (
        <div className={styles.tools} role="toolbar" aria-label={text('matrix.cells', { count: selected.length })}>
          <strong role="status">{text('matrix.cells', { count: selected.length })}</strong>
          <Button variant="default" size="xs" disabled={selected.length === 0} onClick={() => set({ schedule: null })}>
            {text('matrix.always')}
          </Button>
          <ReferencePicker
            of={schedules}
            label={text('matrix.setSchedule')}
            isDisabled={selected.length === 0}
            value={null}
            onChange={(schedule) => schedule !== null && set({ schedule })}
          />
          <Button variant="default" size="xs" disabled={selected.length === 0} onClick={() => set(undefined)}>
            {text('matrix.noAccess')}
          </Button>
          <span className={styles.hint}>{text('matrix.hint')}</span>
        </div>
      )}
      <RulesOf pairs={selected} cells={cells} />
      <MatrixGrid
        label={text('matrix.title')}
        groups={groups}
        places={places.map((place) => ({ ...place, second: siteNames.get(place.site ?? '') ?? undefined }))}
        cells={cells}
        scheduleName={scheduleName}
        onSelect={setSelected}
        onChange={change}
        onUndo={undo}
      />
      {edits.size > 0 && <SaveBar matrix={matrix} edits={edits} nameOf={nameOf} onDiscard={discard} />}
    </>
  )

  function nameOf({ group, access }: Edit) {
    const groupName = groups.find(({ _id }) => _id === group)?.name ?? ''
    const when = access?.schedule ? scheduleName(access.schedule) : text('matrix.always')
    // As the contract limits names.
    return text('matrix.ruleName', { group: groupName, when }).slice(0, 120).toWellFormed()
  }
}

/** The rules behind the selected cell, to open and change there what the matrix does not. */
function RulesOf({ pairs, cells }: { pairs: readonly Pair[]; cells: ReturnType<typeof cellsOf> }) {
  const { ref } = useAccount()
  const [pair, ...more] = pairs
  const found = pair && more.length === 0 ? cells(pair.group, pair.place).rules : []
  if (found.length === 0) return null
  return (
    <p className={styles.rules}>
      <span className="soft">{text('matrix.rules')}</span>
      {found.map(({ _id, name }) => (
        <Link key={_id} to="/$account/rules/list" params={{ account: ref }} search={{ open: _id }}>
          <bdi>{name}</bdi>
        </Link>
      ))}
    </p>
  )
}

function useScheduleName({ matrix, edits }: Pick<Props, 'matrix' | 'edits'>) {
  const used = [
    ...matrix.rules.map(({ schedule }) => schedule),
    ...[...edits.values()].map(({ access }) => access?.schedule),
  ]
  const names = useNames(schedules, [...new Set(used.filter((id) => typeof id === 'string'))])
  return (id: string) => {
    const name = names.get(id)
    return name === null ? text('matrix.hiddenSchedule') : (name ?? '…')
  }
}

type SaveBarProps = Pick<Props, 'matrix' | 'edits'> & { nameOf: (edit: Edit) => string; onDiscard: () => void }

/** What the changes do, and saving them: all in one step, or none. */
function SaveBar({ matrix, edits, nameOf, onDiscard }: SaveBarProps) {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const count = edits.size
  const batch = () => batchOf({ rules: matrix.rules, edits: [...edits.values()], nameOf })
  const readAgain = () => queryClient.invalidateQueries({ queryKey: collectionKey(rules, ref) })
  const save = useMutation({
    mutationFn: async () => client.rules.batch(batch()),
    async onSuccess({ saved, deleted }) {
      const entries = [...saved, ...deleted].flatMap(({ entry }) => entry ?? [])
      toast({
        text: text('matrix.saved', { count }),
        action: { label: text('toast.undo'), run: () => void undoAll(entries).then(readAgain) },
      })
      await readAgain()
      onDiscard()
    },
    // Another user may have changed these rules.
    onError: readAgain,
  })
  const blocker = useBlocker({
    // After a new sign-in the same page opens.
    shouldBlockFn: ({ next }) => !next.pathname.includes('/authentication/'),
    enableBeforeUnload: true,
    withResolver: true,
  })
  return (
    <section className={styles.bar} aria-label={text('matrix.changes', { count })}>
      <h2>{text('matrix.changes', { count })}</h2>
      {save.error && (
        <p role="alert" className="refusal">
          {messageOf(save.error)}
        </p>
      )}
      <div className={styles.buttons}>
        <Button variant="default" onClick={onDiscard}>
          {text('matrix.discard')}
        </Button>
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          {text('matrix.save', { count })}
        </Button>
      </div>
      <div className={styles.effects}>
        <AccessEffects of={rules} change={edits} ask={() => client.rules.previewBatch(batch())} />
      </div>
      {blocker.status === 'blocked' && <LeaveOrStay onLeave={blocker.proceed} onStay={blocker.reset} />}
    </section>
  )
}
