import type { Recertifyable } from '@portcullis/contract/calls/recertification'
import { Link } from '@tanstack/react-router'
import type { LabelledColumn } from '../list/data-table.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { useMinute } from '../time/use-minute.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { Day } from './day.tsx'
import styles from './due-columns.module.css'
import { dueInWords } from './due-in-words.ts'
import { RowActions } from './row-actions.tsx'

type Asked = { onSuspend: (person: Recertifyable) => void }

/** What somebody has to see to decide: who it is, what they can open, and how urgent it is; and what they decide. */
export function dueColumns({ onSuspend }: Asked): LabelledColumn<Recertifyable>[] {
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
        {shown.length > 0 && <span className="soft"> · {shown.join(', ')}</span>}
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
