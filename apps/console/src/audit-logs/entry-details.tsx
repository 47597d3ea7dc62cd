import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { collections } from '@portcullis/contract/collections/registry'
import { assumptionEnds } from '@portcullis/contract/calls/assume-account'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { deliveryFaultText } from '../commands/delivery-fault-text.ts'
import { Time } from '../time/time.tsx'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import layout from '../ui/facts.module.css'
import { ActionTag } from './action-tag.tsx'
import { Actor, ItemName } from './audit-columns.tsx'
import { collectionOf, type Entry, isActing, kindOf, type Unlock, unlockOf } from './audit-entry.ts'
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
      <dl className={`${layout.facts} ${styles.facts}`}>
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
      <Content entry={entry} />
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
  const hasItem = kind !== undefined && maySee && entry.item !== null
  // Requested as a list of one, because a deleted item is no error here.
  const { data } = useList(of, { filter: { _id: entry.item }, size: 1 }, { isEnabled: hasItem })
  if (!hasItem || !data) return null
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

/** What the entry records: the facts of what changed nothing, or the fields of a change. */
function Content({ entry }: { entry: Entry }) {
  if (isActing(entry)) return <ActingFacts entry={entry} />
  const unlock = unlockOf(entry)
  return unlock ? <UnlockFacts unlock={unlock} /> : <FieldChanges entry={entry} />
}

/** The account from which a user acted inside this one, or how that ended. */
function ActingFacts({ entry: { after } }: { entry: Entry }) {
  const { from, address, device, until, since, endedAt, endedBy } = facts.parse(after ?? {})
  return (
    <Facts
      lines={[
        [text('audit.acting.from'), from && <AccountName id={from} />],
        [text('audit.acting.address'), address],
        [text('audit.acting.device'), device],
        [text('audit.acting.until'), until && <Time at={until} />],
        [text('audit.acting.since'), since && <Time at={since} />],
        [text('audit.acting.endedAt'), endedAt && <Time at={endedAt} />],
        [text('audit.acting.endedBy'), endedBy && text(`audit.acting.ends.${endedBy}`)],
      ]}
    />
  )
}

/** The request to unlock a door once, or its outcome. */
function UnlockFacts({ unlock: { outcome, detail, requestedAt, sentAt, endedAt } }: { unlock: Unlock }) {
  return (
    <Facts
      lines={[
        [text('audit.unlock.outcome'), text(`audit.unlock.outcomes.${outcome}`)],
        [text('audit.reason'), detail && deliveryFaultText(detail)],
        [text('audit.unlock.requestedAt'), <Time key="requested" at={requestedAt} />],
        [text('audit.unlock.sentAt'), sentAt && <Time at={sentAt} />],
        [text('audit.unlock.endedAt'), endedAt && <Time at={endedAt} />],
      ]}
    />
  )
}

/** Terms and their values; those without a value are left out. */
function Facts({ lines }: { lines: readonly (readonly [term: string, value: ReactNode])[] }) {
  return (
    <dl className={`${layout.facts} ${styles.facts}`}>
      {lines.map(
        ([term, value]) =>
          value && (
            <div key={term} style={{ display: 'contents' }}>
              <dt>{term}</dt>
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
