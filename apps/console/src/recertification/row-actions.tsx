import { ActionIcon, Button, Menu } from '@mantine/core'
import type { Recertifyable } from '@portcullis/contract/calls/recertification'
import { users } from '@portcullis/contract/collections/users'
import { recertifyBy } from '@portcullis/domain/decision/holder-facts'
import { IconBan, IconDots } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../ui/list-notice.tsx'
import { useOfferUndo } from '../item/use-offer-undo.ts'
import { toast } from '../ui/toasts.ts'
import { client } from '../session/client.ts'
import { useCan, useSession } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { dayOf } from './day.tsx'
import styles from './due-columns.module.css'
import { useRefreshDue } from './use-due-list.ts'

type Props = { person: Recertifyable; onSuspend: () => void }

/** What is decided about one person, in their row: at once, or after a question where it takes something away. */
export function RowActions({ person, onSuspend }: Props) {
  const { _id, name, recertifyEveryDays } = person
  const refresh = useRefreshDue()
  const canManage = useCan('manage', 'Users')
  const isOneself = useSession().user._id === _id
  const offerUndo = useOfferUndo(users)
  const decision = useMutation({
    async mutationFn() {
      let entry: string | undefined
      const after = await client.recertification.decide(_id, { onRecorded: (told) => (entry = told) })
      return { entry, until: recertifyBy(after, recertifyEveryDays) }
    },
    onSuccess({ entry, until }) {
      if (until) offerUndo({ said: text('recertification.recertified', { name, until: dayOf(until) }), name, entry })
    },
    onError: (error) =>
      toast({ tone: 'refusal', text: text('recertification.failed', { name, reason: messageOf(error) }) }),
    onSettled: refresh,
  })

  if (isOneself) return <span className="soft">{text('recertification.own')}</span>
  return (
    <span className={styles.actions}>
      <Button
        size="xs"
        variant="default"
        aria-label={text('recertification.recertifyOf', { name })}
        loading={decision.isPending}
        onClick={() => decision.mutate()}
      >
        {text('recertification.recertify')}
      </Button>
      {canManage && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon size={30} variant="subtle" aria-label={text('recertification.more', { name })}>
              <IconDots size={16} aria-hidden="true" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconBan size={15} aria-hidden="true" />} onClick={onSuspend}>
              {text('recertification.suspend')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </span>
  )
}
