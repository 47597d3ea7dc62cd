import { assumptionEnds } from '@portcullis/contract/calls/assume-account'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { Time } from '../time/time.tsx'
import { wayTo } from '../account-tree/account-hierarchy.ts'
import { hierarchyQuery } from '../session/me-query.ts'
import { text } from '../text/text.ts'
import type { Entry } from './audit-entry.ts'
import styles from './entry-details.module.css'

/** Where somebody came from who acted inside the account, or how it ended. */
export function ActingFacts({ entry: { after } }: { entry: Entry }) {
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

/** By the tree of accounts: it stands above the one whose log this is, and need not be in sight. */
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
