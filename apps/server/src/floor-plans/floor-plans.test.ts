import sharp from 'sharp'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeItem, type Written } from '../collections/test-items.ts'
import { startTestServer, type TestUser } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2f4fd0' } })
const small = new Uint8Array(await drawn(40, 20).png().toBuffer())

let count = 0

/** Two accounts below one, and in the first a site with a wired door, its controller and a plan. */
async function makePlace() {
  count += 1
  const above = `estate-${count}`
  await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: above } })
  const account = async (name: string) => {
    const ref = `${name}-${count}`
    const { _id } = await makeItem({ ask: server.in(above), collection: 'accounts', fields: { ref } })
    const ask = server.in(ref)
    const make = async (collection: Written, fields: Record<string, unknown> = {}) =>
      (await makeItem({ ask, collection, fields }))._id
    return { _id, ref, ask, make }
  }
  const [own, next] = [await account('own'), await account('next')]
  const site = await own.make('sites')
  const unit = await own.make('units')
  const door = await own.make('doors', { site, unit, unitDoor: 1 })
  const plan = await own.make('floorPlans', { site })
  return { own, next, site, unit, door, plan }
}

const placed = (id: string, kind = 'Door') => ({ kind, id, x: 0.5, y: 0.25 })

type Sending = { ref: string; plan: string; headers?: Record<string, string> }

async function upload(body: Uint8Array<ArrayBuffer>, { ref, plan, headers = server.headers }: Sending) {
  const response = await fetch(`${server.url}/api/floorPlans/${plan}/image`, {
    method: 'PUT',
    headers: { ...headers, 'x-js-account': ref, 'content-type': 'application/octet-stream' },
    body,
  })
  await response.text()
  return response.status
}

function download({ ref, plan, headers = server.headers }: Sending) {
  return fetch(`${server.url}/api/floorPlans/${plan}/image`, { headers: { ...headers, 'x-js-account': ref } })
}

const read = async (ask: TestUser['ask'], path: string) => (await ask('GET', `/api/${path}`)).item

describe('an item on a plan', () => {
  test('belongs to its site: doors, and the controllers at the site or of its doors', async () => {
    const { own, site, unit, door, plan } = await makePlace()
    const spare = await own.make('units', { site })
    const items = [placed(door), placed(unit, 'Controller'), placed(spare, 'Controller')]
    expect((await own.ask('PATCH', `/api/floorPlans/${plan}`, { body: { placements: items } })).status).toBe(200)
    expect(await read(own.ask, `floorPlans/${plan}`)).toMatchObject({ placements: items, version: 2 })
  })

  test('is refused if it is missing, out of scope, of another site or another kind', async () => {
    const { own, next, site, unit, door, plan } = await makePlace()
    const elsewhere = [
      placed(uuidv7()),
      placed(await next.make('doors')),
      placed(await own.make('doors')),
      placed(unit),
      placed(door, 'Controller'),
      placed(await own.make('units'), 'Controller'),
      placed(await next.make('units'), 'Controller'),
    ]
    for (const item of elsewhere) {
      const body = { placements: [placed(door), item] }
      const made = await own.ask('POST', '/api/floorPlans', { body: { name: 'First floor', site, ...body } })
      const changed = await own.ask('PATCH', `/api/floorPlans/${plan}`, { body })
      for (const { status, error } of [made, changed]) {
        expect([status, error.code, Object.keys(error.fields)]).toEqual([422, 'unknown_reference', ['placements']])
      }
    }
  })

  test('is placed once, and on the image', async () => {
    const { own, door, plan } = await makePlace()
    for (const items of [[placed(door), { ...placed(door), x: 0 }], [{ ...placed(door), x: 1.01 }]]) {
      const { status } = await own.ask('PATCH', `/api/floorPlans/${plan}`, { body: { placements: items } })
      expect(status).toBe(400)
    }
  })

  test('keeps its place when it is deleted, and other places can still be changed', async () => {
    const { own, site, door, plan } = await makePlace()
    const gone = await own.make('doors', { site })
    await own.ask('PATCH', `/api/floorPlans/${plan}`, { body: { placements: [placed(door), placed(gone)] } })
    expect((await own.ask('DELETE', `/api/doors/${gone}`)).status).toBe(204)
    const items = [{ ...placed(door), x: 0.75 }, placed(gone)]
    expect((await own.ask('PATCH', `/api/floorPlans/${plan}`, { body: { placements: items } })).status).toBe(200)
    const { status } = await own.ask('PATCH', `/api/floorPlans/${plan}`, { body: { placements: [placed(gone)] } })
    expect(status).toBe(200)
    await own.ask('PATCH', `/api/floorPlans/${plan}`, { body: { placements: [] } })
    const again = await own.ask('PATCH', `/api/floorPlans/${plan}`, { body: { placements: [placed(gone)] } })
    expect(again.status).toBe(422)
  })
})

describe('the image of a plan', () => {
  test('is stored upright, without other data, and its size is in the plan', async () => {
    const { own, plan } = await makePlace()
    const sending = { ref: own.ref, plan }
    const photo = await drawn(60, 30).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    expect(await upload(new Uint8Array(photo), sending)).toBe(204)
    const answer = await download(sending)
    const tag = answer.headers.get('etag')
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    })
    const { format, width, height, exif } = await sharp(await answer.arrayBuffer()).metadata()
    expect({ format, width, height, exif }).toEqual({ format: 'webp', width: 30, height: 60, exif: undefined })
    const image = { tag: tag?.replaceAll('"', ''), width: 30, height: 60 }
    expect(await read(own.ask, `floorPlans/${plan}`)).toMatchObject({ image, version: 2 })
    const headers = { ...server.headers, 'if-none-match': tag ?? '' }
    expect((await download({ ...sending, headers })).status).toBe(304)
  })

  test('is at most 4096 px long, so that labels can still be read', async () => {
    const { own, plan } = await makePlace()
    const sending = { ref: own.ref, plan }
    expect(await upload(new Uint8Array(await drawn(4_500, 90).png().toBuffer()), sending)).toBe(204)
    expect(await read(own.ask, `floorPlans/${plan}`)).toMatchObject({ image: { width: 4_096, height: 82 } })
  })

  test('is refused if a browser could execute it, or if it is unreadable or too large', async () => {
    const { own, plan } = await makePlace()
    const sending = { ref: own.ref, plan }
    await upload(small, sending)
    const before = (await download(sending)).headers.get('etag')
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>')
    const html = Buffer.from('<!doctype html><script>1</script>')
    const broken = (await drawn(1_200, 800).jpeg().toBuffer()).subarray(0, 2_000)
    const wide = await drawn(6_000, 6_000).png().toBuffer()
    for (const wrong of [svg, html, Buffer.alloc(0), broken, wide, await drawn(9, 9).gif().toBuffer()]) {
      expect(await upload(new Uint8Array(wrong), sending)).toBe(400)
    }
    expect(await upload(new Uint8Array(8 * 1024 * 1024 + 1), sending)).toBe(413)
    expect((await download(sending)).headers.get('etag')).toBe(before)
  })

  test('is seen by users who see the site, and changed by those who manage it', async () => {
    const { own, next, plan } = await makePlace()
    const sending = { ref: own.ref, plan }
    await upload(small, sending)
    const [reader, user, stranger] = await Promise.all([
      server.signInAs({ role: 'reportingUser', account: own.ref }),
      server.signInAs({ role: 'appUser', account: own.ref }),
      server.signInAs({ role: 'admin', account: next.ref }),
    ])
    expect((await download({ ...sending, headers: reader.headers })).status).toBe(200)
    expect((await download({ ...sending, headers: user.headers })).status).toBe(403)
    expect((await download({ ...sending, headers: {} })).status).toBe(401)
    expect(await upload(small, { ...sending, headers: reader.headers })).toBe(403)
    const theirs = { ref: next.ref, headers: stranger.headers }
    for (const id of [plan, uuidv7(), 'zebra']) {
      expect((await download({ ...theirs, plan: id })).status).toBe(404)
      expect(await upload(small, { ...theirs, plan: id })).toBe(404)
      expect((await next.ask('DELETE', `/api/floorPlans/${id}/image`)).status).toBe(404)
    }
  })

  test('is removed, and the audit log has both changes', async () => {
    const { own, plan } = await makePlace()
    await upload(small, { ref: own.ref, plan })
    expect((await own.ask('DELETE', `/api/floorPlans/${plan}/image`)).status).toBe(204)
    expect((await download({ ref: own.ref, plan })).status).toBe(404)
    expect((await own.ask('GET', '/api/auditLogs?size=2')).items).toMatchObject([
      { item: plan, actor: server.userId, before: { image: { width: 40 } }, after: { image: null } },
      { item: plan, before: { image: null }, after: { image: { width: 40, height: 20 } } },
    ])
  })

  test('is lost when the plan is deleted, and undo restores all else', async () => {
    const { own, door, plan } = await makePlace()
    await own.ask('PATCH', `/api/floorPlans/${plan}`, { body: { placements: [placed(door)] } })
    await upload(small, { ref: own.ref, plan })
    const deleted = await own.ask('DELETE', `/api/floorPlans/${plan}`)
    const undone = await own.ask('POST', `/api/auditLogs/${deleted.headers.get('x-history-id')}/undo`)
    expect(undone.status).toBe(200)
    expect(await read(own.ask, `floorPlans/${plan}`)).toMatchObject({ placements: [placed(door)], image: null })
    expect((await download({ ref: own.ref, plan })).status).toBe(404)
  })
})

describe('the site of a plan', () => {
  test('is one of the same account, and stays', async () => {
    const { own, next, site, plan } = await makePlace()
    for (const other of [await next.make('sites'), uuidv7()]) {
      const { status, error } = await own.ask('POST', '/api/floorPlans', { body: { name: 'Cellar', site: other } })
      expect([status, error.code, Object.keys(error.fields)]).toEqual([422, 'unknown_reference', ['site']])
    }
    expect((await own.ask('PATCH', `/api/floorPlans/${plan}`, { body: { site } })).status).toBe(200)
    const moved = await own.ask('PATCH', `/api/floorPlans/${plan}`, { body: { site: await own.make('sites') } })
    expect(moved.status).toBe(400)
  })

  test('takes its plans with their images along to another account', async () => {
    const { own, next, site, door, plan } = await makePlace()
    await own.ask('PATCH', `/api/floorPlans/${plan}`, { body: { placements: [placed(door)] } })
    await upload(small, { ref: own.ref, plan })
    const { json } = await own.ask('POST', '/api/sites/moveSite', { body: { siteId: site, accountId: next._id } })
    expect(json).toMatchObject({ moved: true, floorPlans: 1 })
    expect(await read(next.ask, `floorPlans/${plan}`)).toMatchObject({ account: next._id, placements: [placed(door)] })
    expect((await download({ ref: next.ref, plan })).status).toBe(200)
    expect((await own.ask('GET', `/api/floorPlans/${plan}`)).status).toBe(404)
    expect((await download({ ref: own.ref, plan })).status).toBe(404)
  })

  test('is deleted with its plans, each recorded', async () => {
    const { own, plan } = await makePlace()
    const site = await own.make('sites')
    const other = await own.make('floorPlans', { site })
    await upload(small, { ref: own.ref, plan: other })
    expect((await own.ask('DELETE', `/api/sites/${site}`)).status).toBe(204)
    expect((await own.ask('GET', `/api/floorPlans/${other}`)).status).toBe(404)
    expect((await own.ask('GET', `/api/floorPlans/${plan}`)).status).toBe(200)
    const filter = encodeURIComponent(JSON.stringify({ item: other, action: 'delete' }))
    expect((await own.ask('GET', `/api/auditLogs?filter=${filter}`)).items).toHaveLength(1)
  })
})

test('the database shows images only to transactions of their account', async () => {
  const { own, next, plan } = await makePlace()
  await upload(small, { ref: own.ref, plan })
  const found = z.object({ id: z.uuid() })
  const query = sql`select floor_plan_image_id as id from floor_plan_image where floor_plan_image_id = ${plan}`
  const seenIn = async (ref: string) =>
    server.database.inAccounts([await server.keyOf(ref)], (tx) => tx.rows(found, query))
  expect(await seenIn(own.ref)).toHaveLength(1)
  expect(await seenIn(next.ref)).toEqual([])
})
