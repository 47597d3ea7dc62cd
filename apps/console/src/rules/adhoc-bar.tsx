import { Button, Group, Menu } from '@mantine/core'
import { rules } from '@portcullis/contract/collections/rules'
import { useOfferUndo } from '../item/use-offer-undo.ts'
import { useSave } from '../item/use-save.ts'
import { useSinglePress } from '../ui/use-single-press.ts'
import { messageOf } from '../ui/list-notice.tsx'
import { lookAtClock } from '../time/use-minute.ts'
import { serverNow } from '../session/server-clock.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './adhoc-bar.module.css'
import { AdhocTag, useNowOf } from './adhoc-cells.tsx'
import { adhocStateOf, endedNow, extended, extensions, type TimeBox } from './adhoc-state.ts'
import { GuestActions } from './guest-actions.tsx'
import type { Rule } from './rule-cells.tsx'

type Props = { rule: Rule & { adhoc: TimeBox }; onDone: () => void }

/** The usual actions on temporary access, one press each: end it, start it, extend it. */
export function AdhocBar({ rule, onDone }: Props) {
  return (
    <div className={styles.bar}>
      <AdhocTag rule={rule} />
      <AdhocActions rule={rule} onDone={onDone} />
      {rule.guest !== null && <GuestActions rule={rule} />}
    </div>
  )
}

/** The same buttons in a row of a list. */
export function AdhocActions({ rule, onDone }: Props) {
  const canManage = useCan('manage', 'Access Control')
  const { isPending, error, change } = useChange(rule, onDone)
  const state = adhocStateOf(rule.adhoc, useNowOf(rule))
  const present = () => new Date(serverNow())
  const end = useSinglePress(() => change(endedNow(rule.adhoc, present())))
  const start = useSinglePress(() => change({ ...rule.adhoc, from: present().toISOString() }))
  const words = state === 'ended' ? 'for' : 'by'
  if (!canManage) return null

  return (
    <>
      <Group gap={8}>
        {state === 'in_force' && (
          <Button size="xs" variant="default" loading={isPending} onClick={end}>
            {text('adhoc.endNow')}
          </Button>
        )}
        {state === 'to_come' && (
          <Button size="xs" variant="default" loading={isPending} onClick={start}>
            {text('adhoc.startNow')}
          </Button>
        )}
        <Menu position="bottom-end">
          <Menu.Target>
            <Button size="xs" variant="default" disabled={isPending}>
              {text(state === 'ended' ? 'adhoc.giveAgain' : 'adhoc.extend')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {extensions.map((by) => (
              <Menu.Item key={by} onClick={() => void change(extended(rule.adhoc, { by, now: present() }))}>
                {text(`adhoc.${words}.${by}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
      <p role="alert" className="refusal">
        {error ? messageOf(error) : ''}
      </p>
    </>
  )
}

function useChange({ _id, name, version }: Rule, onDone: () => void) {
  const save = useSave(rules)
  const offerUndo = useOfferUndo(rules)

  async function change(adhoc: TimeBox) {
    let entry: string | undefined
    const fields = { adhoc, version }
    try {
      await save.mutateAsync({ id: _id, fields, onRecorded: (recorded) => (entry = recorded) })
    } catch {
      // The mutation stores the error, which is shown.
      return
    }
    lookAtClock()
    offerUndo({ message: text('toast.saved', { name }), name, entry })
    onDone()
  }

  return { isPending: save.isPending, error: save.error, change }
}
