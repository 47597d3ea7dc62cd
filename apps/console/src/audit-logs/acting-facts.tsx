import { assumptionEnds } from '@portcullis/contract/calls/assume-account'
import { accounts } from '@portcullis/contract/collections/accounts'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { NameOf } from '../collection/name-of.tsx'
import { Time } from '../collection/time.tsx'
import { text } from '../text/text.ts'
import type { Entry } from './audit-entry.ts'
import styles from './entry-details.module.css'

/** Where somebody came from who acted inside the account, or how it ended. */
export function ActingFacts({ entry: { after } }: { entry: Entry }) {
  const { from, address, device, until, since, endedAt, endedBy } = facts.parse(after ?? {})
  const lines: (readonly [keyof typeof words, ReactNode])[] = [
    ['from', from && <NameOf of={accounts} id={from} />],
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
