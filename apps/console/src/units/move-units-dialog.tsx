import { Button, Modal } from '@mantine/core'
import type { MovedUnits } from '@portcullis/contract/calls/move-units'
import type { EntityOf } from '@portcullis/contract/collection'
import { accounts } from '@portcullis/contract/collections/accounts'
import { units } from '@portcullis/contract/collections/units'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { NamedPeople } from '../account-tree/named-people.tsx'
import { RoleChanges } from '../account-tree/role-changes.tsx'
import { ReferencePicker } from '../form/reference-picker.tsx'
import { collectionKey } from '../item/keys.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { DialogFoot } from '../ui/dialog-foot.tsx'
import { toast } from '../ui/toasts.ts'
import { useSinglePress } from '../ui/use-single-press.ts'
import styles from '../account-tree/move-outcome.module.css'

type Props = { items: readonly EntityOf<typeof units>[]; onClose: () => void; onMoved: () => void }

/** Asks for the account that controllers move to, and shows what moves along and who loses access, before they move. */
export function MoveUnitsDialog({ items, onClose, onMoved }: Props) {
  const { ref, _id: current } = useAccount()
  const [toAccount, setToAccount] = useState<string | null>(null)
  const unitIds = items.map(({ _id }) => _id)
  const queryClient = useQueryClient()
  const preview = useQuery({
    queryKey: ['moveUnits', unitIds, toAccount],
    queryFn: () => client.moveUnits({ unitIds, toAccount: toAccount ?? '', dryRun: true }),
    enabled: toAccount !== null,
    retry: false,
    // The preview is the change itself, not an older answer.
    gcTime: 0,
  })
  const move = useMutation({ mutationFn: () => client.moveUnits({ unitIds, toAccount: toAccount ?? '' }) })
  const press = useSinglePress(() => move.mutateAsync(undefined, { onSuccess }))
  const isReady = preview.isSuccess && !preview.isFetching

  function onSuccess() {
    toast({ text: text('units.moved', { count: items.length }) })
    void queryClient.invalidateQueries({ queryKey: collectionKey(units, ref) })
    onMoved()
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={text('units.moveTitle', { count: items.length })}
      zIndex={400}
      size="lg"
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      <ReferencePicker
        of={accounts}
        label={text('units.moveTo')}
        filter={{ _id: { ne: current } }}
        isRequired
        value={toAccount}
        onChange={setToAccount}
        comboboxProps={{ zIndex: 500 }}
      />
      <div className={styles.outcome} aria-live="polite">
        {preview.isFetching && <p className="soft">{text('units.moveAsking')}</p>}
        {isReady && <Outcome of={preview.data} />}
      </div>
      <DialogFoot error={move.error ?? preview.error} onCancel={onClose}>
        <Button disabled={!isReady} loading={move.isPending} onClick={press}>
          {text('units.moveNow', { count: items.length })}
        </Button>
      </DialogFoot>
    </Modal>
  )
}

function Outcome({ of }: { of: MovedUnits }) {
  const { losesDoors, gainsDoors } = of
  const lines = linesOf(of)
  return (
    <>
      <section>
        <h3>{text('units.moveWhat')}</h3>
        {lines.length === 0 && <p>{text('units.moveOnlyUnits')}</p>}
        <ul>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </section>
      <NamedPeople
        title={text('units.moveLosesDoors', { count: losesDoors.count })}
        {...losesDoors}
        wordsOf={({ name }) => name}
      />
      <NamedPeople
        title={text('units.moveGainsDoors', { count: gainsDoors.count })}
        {...gainsDoors}
        wordsOf={({ name }) => name}
      />
      <RoleChanges of="units" {...of} />
      <p className="soft">{text('units.moveHint')}</p>
    </>
  )
}

/** What moves, and what it leaves, without the kinds of which there are none. */
function linesOf(moved: MovedUnits): string[] {
  const line = (count: number, words: string) => (count === 0 ? [] : [words])
  return [
    ...line(moved.doors, text('units.moveDoors', { count: moved.doors })),
    ...line(moved.sites, text('units.moveSites', { count: moved.sites })),
    ...line(moved.copiedSites, text('units.moveCopies', { count: moved.copiedSites })),
    ...line(moved.interlocks, text('units.moveInterlocks', { count: moved.interlocks })),
    ...line(moved.leftGroups, text('units.moveGroups', { count: moved.leftGroups })),
    ...line(moved.leftRules, text('units.moveRules', { count: moved.leftRules })),
    ...line(moved.leftFirstPersons, text('units.moveFirstPersons', { count: moved.leftFirstPersons })),
  ]
}
