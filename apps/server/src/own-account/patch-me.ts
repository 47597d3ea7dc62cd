import type { patchMe as contract } from '@portcullis/contract/calls/own-account'
import sql from 'sql-template-tag'
import type { z } from 'zod'
import type { Database } from '../database/database.ts'
import { changeOwnPerson } from './own-person.ts'

type Asked = { person: string; requestId: string; changes: z.output<typeof contract.input> }

/** Changes one's own name; policies that are named are accepted now, whatever date was sent. */
export function patchMe(database: Database, { person, requestId, changes: { name, consent = {} } }: Asked) {
  return database.asSystem(async (tx) => {
    if (name !== undefined) await changeOwnPerson(tx, { person, requestId, changes: { name } })
    const now = new Date().toISOString()
    const accepted = Object.fromEntries(Object.keys(consent).map((policy) => [policy, now]))
    if (Object.keys(accepted).length === 0) return
    await tx.run(sql`update person set person_consent = person_consent || ${JSON.stringify(accepted)}::jsonb
      where person_id = ${person}`)
  })
}
