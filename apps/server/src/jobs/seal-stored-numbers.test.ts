import { maskOf } from '@portcullis/contract/sealed-numbers'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { logOf, undo } from '../audit-logs/test-undo.ts'
import { eventRow } from '../ingest/event-row.ts'
import { storeEvents } from '../ingest/store-events.ts'
import { testNumbers } from '../numbers/test-numbers.ts'
import { startOwnServer } from '../test-server.ts'
import { sealStoredNumbers } from './seal-stored-numbers.ts'

const server = await startOwnServer()
afterAll(server.stop)
const { database } = server
const account = await server.keyOf(server.account)
const numbers = testNumbers()
const { signal } = new AbortController()
const doneRow = z.object({ done: z.boolean() })
const isMarked = async () =>
  (await database.first(doneRow, sql`select installation_numbers_sealed as done from installation`))?.done

type Document = Record<string, unknown> | null

/** What earlier versions have stored. */
async function store({
  id,
  kind,
  number,
  isThere = true,
}: {
  id: string
  kind: string
  number: string
  isThere?: boolean
}) {
  const item = { _id: id, kind, number, version: 1, user: null, status: 'active', validFrom: null, validUntil: null }
  await database.asSystem(async (tx) => {
    const history = (action: string, before: Document, after: Document) =>
      tx.run(sql`insert into history (history_id, history_account, history_collection, history_item, history_action,
          history_before, history_after, history_schema)
        values (${uuidv7()}, ${account}, 'credentials', ${id}, ${action}, ${before && JSON.stringify(before)}::jsonb,
                ${after && JSON.stringify(after)}::jsonb, 1)`)
    await history('create', null, { ...item, number: `${number}-EARLIER` })
    await history('patch', { number: `${number}-EARLIER` }, { number })
    if (!isThere) await history('delete', item, null)
    if (isThere) {
      await tx.run(sql`insert into credential (credential_id, credential_account, credential_kind, credential_number,
        credential_status) values (${id}, ${account}, ${kind}, ${number}, 'active')`)
    }
    const event = { account, type: 'access.denied', occurredAt: new Date().toISOString() } as const
    const data = (given: object) => ({ ...event, data: { names: {}, ...given } })
    storeEvents(tx, [
      eventRow(data({ number, kind })),
      eventRow({ ...data({ number }), credential: id }),
      eventRow({ ...data({ raw: `{"kind":"${kind}","number":"${number}"}` }), type: 'unit.unreadable_record' }),
    ])
  })
}

async function isStored(number: string) {
  const text = `%${number}%`
  const found = await database.rows(
    z.object({ place: z.string() }),
    sql`select 'credential' as place from credential where credential_number like ${text}
        union select 'history' from history where history_before::text like ${text} or history_after::text like ${text}
        union select 'event' from event where event_data::text like ${text} order by 1`,
  )
  return found.map(({ place }) => place)
}

test('numbers that earlier versions stored are sealed in credentials, history and events, and others stay', async () => {
  await expect.poll(isMarked).toBe(true)
  const [qr, gone, card] = [uuidv7(), uuidv7(), uuidv7()]
  await store({ id: qr, kind: 'qr', number: 'OLDQR-1234' })
  await store({ id: gone, kind: 'mobile', number: 'OLDGONE-5678', isThere: false })
  await store({ id: card, kind: 'card', number: 'OLDCARD-9012' })
  await database.asSystem((tx) => tx.run(sql`update installation set installation_numbers_sealed = false`))

  // Two servers at once, then one that finds nothing to do.
  const seal = () => sealStoredNumbers({ database, numbers, signal })
  await Promise.all([seal(), seal()])
  await seal()

  expect(await isMarked()).toBe(true)
  expect([await isStored('OLDQR'), await isStored('OLDGONE')]).toEqual([[], []])
  expect(await isStored('OLDCARD')).toEqual(['credential', 'event', 'history'])
  const found = await server.ask('GET', `/api/credentials?${query({ filter: { number: 'OLDQR-1234' } })}`)
  expect(found.items).toMatchObject([{ _id: qr, number: maskOf('OLDQR-1234') }])
  const [deletion] = await logOf(server, gone)
  const undone = await undo(server.ask, String(deletion?._id))
  expect(undone.json).toMatchObject({ item: { _id: gone, number: maskOf('OLDGONE-5678') } })
  const again = await server.ask('GET', `/api/credentials?${query({ filter: { number: 'OLDGONE-5678' } })}`)
  expect(again.items).toMatchObject([{ _id: gone }])
})

test('numbers that are filled in later are sealed too', async () => {
  await expect.poll(isMarked).toBe(true)
  await store({ id: uuidv7(), kind: 'qr', number: 'NEWQR-1234' })
  await sealStoredNumbers({ database, numbers, signal })
  expect(await isStored('NEWQR')).toEqual([])
})

function query(params: Record<string, unknown>) {
  return new URLSearchParams(Object.entries(params).map(([name, value]) => [name, JSON.stringify(value)])).toString()
}
