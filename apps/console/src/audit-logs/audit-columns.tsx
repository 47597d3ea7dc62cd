import { accounts } from '@portcullis/contract/collections/accounts'
import type { Column } from '../list/data-table.tsx'
import { NameOf } from '../item/name-of.tsx'
import { Time } from '../time/time.tsx'
import { fieldLabel } from '../text/field-label.ts'
import { listOf } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import { ActionTag } from './action-tag.tsx'
import { collectionOf, type Entry, fieldsOf, isActing, isHidden, kindOf, nameIn, unlockOf } from './audit-entry.ts'

const maxFields = 3

export const columns: Column<Entry>[] = [
  {
    key: 'what',
    label: text('audit.what'),
    phone: 'title',
    width: '28%',
    fields: { collection: text('audit.collection'), item: text('audit.what') },
    cell: (entry) => (
      <>
        <ItemName entry={entry} />
        <span className="second">{kindOf(entry)}</span>
      </>
    ),
  },
  {
    key: 'action',
    label: text('audit.action'),
    sort: 'action',
    phone: 'aside',
    width: '128px',
    cell: ({ action }) => <ActionTag action={action} />,
  },
  {
    key: 'changes',
    label: text('audit.changes'),
    phone: 'line',
    fields: { before: text('audit.before'), after: text('audit.after') },
    cell: (entry) => <span className="soft">{changesIn(entry)}</span>,
  },
  {
    key: 'who',
    label: text('audit.who'),
    sort: 'actorName',
    phone: 'plain',
    width: '20%',
    fields: {
      actorName: text('audit.who'),
      assumedAccount: text('audit.assumedAccount'),
      reason: text('audit.reason'),
    },
    cell: (entry) => <Actor entry={entry} />,
  },
  {
    key: 'at',
    label: text('audit.at'),
    sort: 'at',
    phone: 'line',
    width: '160px',
    cell: ({ at }) => <Time at={at} />,
  },
  {
    key: 'policyVersion',
    label: text('audit.version'),
    sort: 'policyVersion',
    phone: 'hidden',
    width: '96px',
    cell: ({ policyVersion }) => policyVersion ?? <span className="soft">–</span>,
  },
  {
    key: 'requestId',
    label: text('audit.request'),
    phone: 'hidden',
    isExtra: true,
    cell: ({ requestId }) => requestId,
  },
]

/** The item's name in the change, else its current name. */
export function ItemName({ entry }: { entry: Entry }) {
  const name = nameIn(entry)
  if (name !== undefined) return <bdi>{name}</bdi>
  if (isActing(entry) && entry.assumedAccount) return <NameOf of={accounts} id={entry.assumedAccount} />
  const collection = collectionOf(entry)
  if (entry.item === null || !collection) return <span className="soft">{text('audit.wholeList')}</span>
  return <NameOf of={collection} id={entry.item} />
}

/** Who acted, inside which account, and why. */
export function Actor({ entry: { actorName, assumedAccount, reason } }: { entry: Entry }) {
  return (
    <>
      <bdi>{actorName ?? text('audit.server')}</bdi>
      {assumedAccount && (
        <span className="second">
          {text('audit.assumedAccount')} <NameOf of={accounts} id={assumedAccount} />
        </span>
      )}
      {reason && (
        <span className="second">
          {text('audit.reason')}: <bdi>{reason === 'door_left_out' ? text('doors.noRoom') : reason}</bdi>
        </span>
      )}
    </>
  )
}

function changesIn(entry: Entry) {
  if (isActing(entry) || isHidden(entry)) return '–'
  const unlock = unlockOf(entry)
  if (unlock) return text(`audit.unlock.outcomes.${unlock.outcome}`)
  if (entry.action !== 'patch') return text('audit.everything')
  const fields = fieldsOf(entry)
  const words = listOf(fields.slice(0, maxFields).map((field) => fieldLabel(entry.collection, field)))
  const others = fields.length - maxFields
  return others > 0 ? `${words} ${text('audit.moreFields', { count: others })}` : words
}
