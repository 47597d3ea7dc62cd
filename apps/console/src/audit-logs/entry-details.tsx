import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { collections } from '@portcullis/contract/collections/registry'
import { assumptionEnds } from '@portcullis/contract/calls/assume-account'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { Time } from '../time/time.tsx'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { ActionTag } from './action-tag.tsx'
import { Actor, ItemName } from './audit-columns.tsx'
import { collectionOf, type Entry, isActing, kindOf } from './audit-entry.ts'
import styles from './entry-details.module.css'
import { FieldChanges } from './field-changes.tsx'
import { UndoButton } from './undo-button.tsx'
import { useList } from '../item/use-list.ts'
import { entityKinds } from '../navigation/entity-kinds.ts'
import { wayTo } from '../account-tree/account-hierarchy.ts'
import { hierarchyQuery } from '../session/me-query.ts'

type Props = { entry: Entry; onOpen: (entry: string) => void }

/** One change: what, who, when, and each field before and after. */
export function EntryDetails({ entry, onOpen }: Props) {
  const { ref } = useAccount()
  const { action, at, requestId, policyVersion, undoes, item, collection } = entry
  const to: string = `/${ref}/auditLogs/list`
  return (
    <article>
      <header className={styles.head}>
        <ActionTag action={action} />
        <h2>
          <ItemName entry={entry} />
        </h2>
        <span className="soft">{kindOf(entry)}</span>
      </header>
      <dl className={styles.facts}>
        <dt>{text('audit.who')}</dt>
        <dd>
          <Actor entry={entry} />
        </dd>
        <dt>{text('audit.at')}</dt>
        <dd>
          <Time at={at} />
        </dd>
        <dt>{text('audit.version')}</dt>
        <dd>
          {policyVersion === null ? text('audit.noVersion') : text('audit.versionOf', { version: policyVersion })}
        </dd>
        {requestId && (
          <>
            <dt>{text('audit.request')}</dt>
            <dd>
              <code>{requestId}</code>
            </dd>
          </>
        )}
      </dl>
      {undoes && (
        <p className={styles.undoes}>
          {text('audit.undoes')}
          <Button variant="subtle" size="compact-sm" onClick={() => onOpen(undoes)}>
            {text('audit.undoesOpen')}
          </Button>
        </p>
      )}
      {isActing(entry) ? <ActingFacts entry={entry} /> : <FieldChanges entry={entry} />}
      <footer className={styles.foot}>
        <ItemLink entry={entry} />
        {item && (
          <Link to={to} search={{ item, of: collection }}>
            {text('audit.history')}
          </Link>
        )}
        {entry.assumption && (
          <Link to={to} search={{ assumption: entry.assumption }}>
            {text('audit.acting.all')}
          </Link>
        )}
        <span className={styles.undo}>
          <UndoButton entry={entry} onOpen={onOpen} />
        </span>
      </footer>
    </article>
  )
}

/** A link to the current item; says so where it is deleted. */
function ItemLink({ entry }: { entry: Entry }) {
  const { ref } = useAccount()
  const of = collectionOf(entry) ?? collections.auditLogs
  const kind = entityKinds.find((each) => each.of === of)
  const maySee = useCan('view', of.subject)
  const isAsked = kind !== undefined && maySee && entry.item !== null
  // Requested as a list of one, because a deleted item is no error here.
  const { data } = useList(of, { filter: { _id: entry.item }, size: 1 }, { isEnabled: isAsked })
  if (!isAsked || !data) return null
  const [item] = data.items
  if (item === undefined) return <span className="soft">{text('audit.gone')}</span>
  const [path = '', query] = kind.pathOf(item).split('?')
  const to: string = `/${ref}${path}`
  return (
    <Link to={to} search={Object.fromEntries(new URLSearchParams(query))}>
      {text('audit.openItem')}
    </Link>
  )
}

/** The account from which a user acted inside this one, or how that ended. */
function ActingFacts({ entry: { after } }: { entry: Entry }) {
  const { from, address, device, until, since, endedAt, endedBy } = facts.parse(after ?? {})
  const lines: (readonly [keyof typeof words, ReactNode])[] = [
    ['from', from && <AccountName id={from} />],
    ['address', address],
    ['device', device],
    ['until', until && <Time at={until} />],
    ['since', since && <Time at={since} />],
    ['endedAt', endedAt && <Time at={endedAt} />],
    ['endedBy', endedBy && text(`audit.acting.ends.${endedBy}`)],
  ]
  return (
    <dl className={styles.facts}>
      {lines.map(
        ([name, value]) =>
          value && (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{words[name]}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** Named from the tree of accounts: this account is above that of the log, and may be out of scope. */
function AccountName({ id }: { id: string }) {
  const { data, isPending } = useQuery(hierarchyQuery())
  const account = wayTo(data ?? [], id).at(-1)
  if (account) return <bdi>{account.name}</bdi>
  return isPending ? null : <span className="soft">{text('audit.acting.above')}</span>
}

const facts = z.object({
  from: z.string().optional(),
  address: z.string().nullish(),
  device: z.string().nullish(),
  until: z.string().optional(),
  since: z.string().optional(),
  endedAt: z.string().optional(),
  endedBy: z.enum(assumptionEnds).optional(),
})

const words = {
  from: text('audit.acting.from'),
  address: text('audit.acting.address'),
  device: text('audit.acting.device'),
  until: text('audit.acting.until'),
  since: text('audit.acting.since'),
  endedAt: text('audit.acting.endedAt'),
  endedBy: text('audit.acting.endedBy'),
}
