import type { Recertifyable } from '@portcullis/contract/calls/recertification'
import { Link } from '@tanstack/react-router'
import { ActionIcon, Button, Menu } from '@mantine/core'
import { users } from '@portcullis/contract/collections/users'
import { recertifyBy } from '@portcullis/domain/decision/holder-facts'
import { IconBan, IconDots } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { LabelledColumn } from '../list/data-table.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { useMinute } from '../time/use-minute.ts'
import { useAccount, useCan, useSession } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { Day, dayOf } from './day.tsx'
import styles from './due-columns.module.css'
import { dueInWords } from './due-in-words.ts'
import { messageOf } from '../ui/list-notice.tsx'
import { useOfferUndo } from '../item/use-offer-undo.ts'
import { toast } from '../ui/toasts.ts'
import { client } from '../session/client.ts'
import { useRefreshDue } from './use-due-list.ts'
import { listOf } from '../text/catalogue.ts'

type DueColumnsInput = { onSuspend: (person: Recertifyable) => void }

/** The facts for a decision: the user, the doors they can open, and the due date; and the decision. */
export function dueColumns({ onSuspend }: DueColumnsInput): LabelledColumn<Recertifyable>[] {
  return [
    ...facts,
    {
      key: 'decide',
      label: text('recertification.doing'),
      phone: 'plain',
      width: '164px',
      cell: (person) => <RowActions person={person} onSuspend={() => onSuspend(person)} />,
    },
  ]
}

const facts: readonly LabelledColumn<Recertifyable>[] = [
  {
    key: 'name',
    label: text('recertification.person'),
    sort: 'name',
    phone: 'title',
    cell: ({ name, title, email, img }) => (
      <span className={styles.person}>
        <Avatar name={name} img={img} />
        <span className={styles.words}>
          <bdi>{name}</bdi>
          <bdi className="second">{title ?? email}</bdi>
        </span>
      </span>
    ),
  },
  {
    key: 'role',
    label: text('recertification.access'),
    phone: 'plain',
    cell: (person) => <Access person={person} />,
  },
  {
    key: 'lastRecertifiedAt',
    label: text('recertification.last'),
    phone: 'line',
    width: '150px',
    cell: ({ lastRecertifiedAt: at }) =>
      at === null ? <span className="soft">{text('recertification.never')}</span> : <Day at={at} />,
  },
  {
    key: 'recertifyBy',
    label: text('recertification.due'),
    sort: 'recertifyBy',
    phone: 'aside',
    width: '180px',
    cell: (person) => <Due person={person} />,
  },
]

const groupsShown = 2

function Access({ person: { _id, name, role, groups } }: { person: Recertifyable }) {
  const { ref } = useAccount()
  const seesRules = useCan('view', 'Access Control')
  const seesDoors = useCan('view', 'Sites')
  const to: string = `/${ref}/rules/explorer`
  const shown = groups.slice(0, groupsShown).map((group) => group.name)
  const more = groups.length - shown.length
  return (
    <span className={styles.access}>
      <span>
        {text(`users.roles.${role}`)}
        {shown.length > 0 && <span className="soft"> · {listOf(shown)}</span>}
        {more > 0 && <span className="soft"> {text('recertification.moreGroups', { count: more })}</span>}
      </span>
      {seesRules && seesDoors && (
        <Link to={to} search={{ ask: 'user', user: _id }} aria-label={text('recertification.canOpenOf', { name })}>
          {text('recertification.canOpen')}
        </Link>
      )}
    </span>
  )
}

function Due({ person }: { person: Recertifyable }) {
  const { state, words } = dueInWords(person, useMinute())
  return (
    <span className={styles.due}>
      <StateTag state={state}>{words}</StateTag>
      {person.recertifyBy && (
        <span className="second">
          <Day at={person.recertifyBy} />
        </span>
      )}
    </span>
  )
}

type Props = { person: Recertifyable; onSuspend: () => void }

/** The decisions on one user, in their row: made at once, or confirmed first if the user loses access. */
function RowActions({ person, onSuspend }: Props) {
  const { _id, name, recertifyEveryDays } = person
  const refresh = useRefreshDue()
  const canManage = useCan('manage', 'Users')
  const isOneself = useSession().user._id === _id
  const offerUndo = useOfferUndo(users)
  const decision = useMutation({
    async mutationFn() {
      let entry: string | undefined
      const after = await client.recertification.decide(_id, { onRecorded: (recorded) => (entry = recorded) })
      return { entry, until: recertifyBy(after, recertifyEveryDays) }
    },
    onSuccess({ entry, until }) {
      if (until) offerUndo({ message: text('recertification.recertified', { name, until: dayOf(until) }), name, entry })
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
