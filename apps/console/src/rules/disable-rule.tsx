import { Button, Modal } from '@mantine/core'
import { rules } from '@portcullis/contract/collections/rules'
import type { RuleEffect } from '@portcullis/domain/policy'
import { useState } from 'react'
import { AccessEffects } from '../item/access-effects.tsx'
import styles from '../item/access-effects.module.css'
import { useOfferUndo } from '../item/use-offer-undo.ts'
import { useSave } from '../item/use-save.ts'
import { client } from '../session/client.ts'
import { isolated } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import { DialogFoot } from '../ui/dialog-foot.tsx'
import { useSinglePress } from '../ui/use-single-press.ts'

type Props = { id: string; name: string; effect: RuleEffect; onDisabled: () => void }

const changes = { enabled: false }

/** Disables a rule after a confirmation that shows, if asked, who gains and loses access. */
export function DisableRule({ id, name, effect, onDisabled }: Props) {
  const [isConfirming, setConfirming] = useState(false)
  const save = useSave(rules)
  const offerUndo = useOfferUndo(rules)
  const press = useSinglePress(disable)

  async function disable() {
    let entry: string | undefined
    await save.mutateAsync({ id, fields: changes, onRecorded: (recorded) => (entry = recorded) })
    offerUndo({ message: text('review.disabled', { name: isolated(name) }), name, entry })
    setConfirming(false)
    onDisabled()
  }

  function close() {
    setConfirming(false)
    save.reset()
  }

  return (
    <>
      <Button variant="default" size="xs" onClick={() => setConfirming(true)}>
        {text('review.disable', { name: isolated(name) })}
      </Button>
      <Modal
        opened={isConfirming}
        onClose={close}
        title={text('review.disableTitle', { name: isolated(name) })}
        withCloseButton={false}
      >
        <p className="soft">{text(`bulk.disableRulesHint.${effect}`)}</p>
        <div className={styles.inDialog}>
          <AccessEffects
            of={rules}
            change={id}
            ask={() => client.rules.previewBatch({ save: [{ _id: id, ...changes }] })}
          />
        </div>
        <DialogFoot error={save.error} onCancel={close} focus="cancel">
          <Button loading={save.isPending} onClick={press}>
            {text('review.disableConfirm')}
          </Button>
        </DialogFoot>
      </Modal>
    </>
  )
}
