import { Button, Modal, Stack } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ReferencePicker } from '../form/reference-picker.tsx'
import { AccessEffects } from '../item/access-effects.tsx'
import { DeleteButton } from '../item/delete-button.tsx'
import { collectionKey } from '../item/keys.ts'
import { undoAll } from '../item/undo-all.ts'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { conjunction } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import { DialogFoot } from '../ui/dialog-foot.tsx'
import { toast } from '../ui/toasts.ts'
import { useDoorsOf, useRulesOf } from './schedule-uses.tsx'

type Props = { item: EntityOf<typeof schedules>; onDeleted: () => void }

/** Deletes a schedule; of one that rules or doors use, it first asks for the schedule that they get instead. */
export function DeleteSchedule({ item, onDeleted }: Props) {
  const mayReplace = useCan('manage', rules.subject)
  const [ofRules, ofDoors] = [useRulesOf(item._id).data, useDoorsOf(item._id).data]
  const uses = [
    ...usesOf('usedByRules', ofRules?.page.totalElements),
    ...usesOf('usedByDoors', ofDoors?.page.totalElements),
  ]
  if (!mayReplace || uses.length === 0)
    return <DeleteButton of={schedules} id={item._id} name={item.name} onDeleted={onDeleted} />
  return <ReplaceButton item={item} uses={conjunction.format(uses)} onDeleted={onDeleted} />
}

function usesOf(kind: 'usedByRules' | 'usedByDoors', count = 0) {
  return count === 0 ? [] : [text(`schedules.${kind}`, { count })]
}

function ReplaceButton({ item, uses, onDeleted }: Props & { uses: string }) {
  const [isOpen, setOpen] = useState(false)
  const [by, setBy] = useState<string | null>(null)
  const replacement = useReplacement(item, onDeleted)

  function close() {
    setOpen(false)
    setBy(null)
    replacement.reset()
  }

  return (
    <>
      <Button variant="subtle" color="no" onClick={() => setOpen(true)}>
        {text('action.delete')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={text('form.deleteTitle', { name: item.name })}
        withCloseButton={false}
        zIndex={400}
      >
        <Stack gap={12}>
          <p className="soft">{text('schedules.replaceHint', { uses })}</p>
          <ReferencePicker
            of={schedules}
            label={text('schedules.replaceBy')}
            isRequired
            filter={{ _id: { ne: item._id } }}
            value={by}
            onChange={setBy}
            comboboxProps={{ zIndex: 500 }}
          />
          {by !== null && (
            <AccessEffects
              of={schedules}
              change={by}
              ask={() => client.rules.previewReplacement(item._id, { by, delete: true })}
            />
          )}
        </Stack>
        <DialogFoot error={replacement.error} onCancel={close}>
          <Button
            color="no"
            disabled={by === null}
            loading={replacement.isPending || replacement.isSuccess}
            onClick={() => by !== null && replacement.mutate(by)}
          >
            {text('schedules.replaceAndDelete')}
          </Button>
        </DialogFoot>
      </Modal>
    </>
  )
}

function useReplacement({ _id, name }: Props['item'], onDeleted: () => void) {
  const { ref } = useAccount()
  const queryClient = useQueryClient()

  async function readAgain() {
    for (const of of [schedules, rules, doors])
      await queryClient.invalidateQueries({ queryKey: collectionKey(of, ref) })
  }

  return useMutation({
    mutationFn: (by: string) => client.rules.replaceSchedule(_id, { by, delete: true }),
    onSuccess: async ({ deletion, ...replaced }) => {
      const uses = [...replaced.rules, ...replaced.doors]
      const entries = [...uses.map(({ entry }) => entry), ...(deletion === null ? [] : [deletion])]
      toast({
        text: text('toast.deleted', { name }),
        action: { label: text('toast.undo'), run: () => void undoAll(entries).then(readAgain) },
      })
      onDeleted()
      await readAgain()
    },
  })
}
