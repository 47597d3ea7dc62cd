import type { DoorAccess, UserAccess } from '@portcullis/contract/calls/explorer'
import { IconListCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { LabelledColumn } from '../list/data-table.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { RulesCell, WhenCell } from './access-cells.tsx'
import styles from './access-columns.module.css'

type Place = { account: string }

/** The users of one door. */
export function peopleColumns(
  { at, door }: DoorAccess,
  { account }: Place,
): LabelledColumn<DoorAccess['items'][number]>[] {
  const zone = door.site.timeZone
  return [
    {
      key: 'user',
      label: text('explorer.person'),
      phone: 'title',
      width: '24%',
      cell: ({ user }) => (
        <span className={styles.person}>
          <Avatar name={user.name} />
          <NameLink name={user.name} id={user._id} path="/users/list" isHere={user.account === account} />
        </span>
      ),
    },
    {
      key: 'when',
      label: text('explorer.can'),
      phone: 'plain',
      width: '22%',
      cell: (row) => <WhenCell row={row} now={at} zone={zone} />,
    },
    {
      key: 'rules',
      label: text('explorer.byRule'),
      phone: 'plain',
      cell: ({ rules }) => <RulesCell rules={rules} now={at} isHere={door.account === account} />,
    },
    {
      key: 'why',
      label: text('explorer.why'),
      phone: 'plain',
      width: '150px',
      cell: ({ user }) => <WhyLink user={user._id} door={door._id} name={user.name} />,
    },
  ]
}

/** The doors of one user. */
export function doorColumns(
  { at, user }: UserAccess,
  { account }: Place,
): LabelledColumn<UserAccess['items'][number]>[] {
  return [
    {
      key: 'door',
      label: text('explorer.door'),
      phone: 'title',
      width: '24%',
      cell: ({ door }) => (
        <>
          <NameLink
            name={door.name}
            id={door._id}
            path={`/sites/${door.site._id}`}
            isHere={door.account === account && door.site._id !== null}
          />
          <bdi className="second">{door.site.name}</bdi>
        </>
      ),
    },
    {
      key: 'when',
      label: text('explorer.can'),
      phone: 'plain',
      width: '22%',
      cell: (row) => <WhenCell row={row} now={at} zone={row.door.site.timeZone} />,
    },
    {
      key: 'rules',
      label: text('explorer.byRule'),
      phone: 'plain',
      cell: ({ rules, door }) => <RulesCell rules={rules} now={at} isHere={door.account === account} />,
    },
    {
      key: 'why',
      label: text('explorer.why'),
      phone: 'plain',
      width: '150px',
      cell: ({ door }) => <WhyLink user={user._id} door={door._id} name={door.name} />,
    },
  ]
}

/** An item of an account below has its screen there. */
function NameLink({ name, id, path, isHere }: { name: string; id: string; path: string; isHere: boolean }) {
  const { ref } = useAccount()
  const to: string = `/${ref}${path}`
  if (!isHere) return <bdi>{name}</bdi>
  return (
    <Link to={to} search={{ open: id }} className={styles.name}>
      <bdi>{name}</bdi>
    </Link>
  )
}

function WhyLink({ user, door, name }: { user: string; door: string; name: string }) {
  const { ref } = useAccount()
  const to: string = `/${ref}/rules/explorer`
  return (
    <Link
      to={to}
      search={{ ask: 'open', user, door }}
      className={styles.why}
      aria-label={text('explorer.whyOf', { name })}
    >
      <IconListCheck size={15} aria-hidden="true" />
      {text('explorer.why')}
    </Link>
  )
}
