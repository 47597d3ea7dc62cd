import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)
const { _id } = await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'shop' } })

const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2f4fd0' } })
const photo = () => drawn(1200, 800).withMetadata({ orientation: 6 }).jpeg().toBuffer()

type UploadOptions = { account?: string; id?: string; headers?: Record<string, string> }

async function upload(
  body: Uint8Array<ArrayBuffer>,
  { account = 'shop', id = _id, headers = server.headers }: UploadOptions = {},
) {
  const response = await fetch(`${server.url}/api/accounts/${id}/image`, {
    method: 'PUT',
    headers: { ...headers, 'x-js-account': account, 'content-type': 'application/octet-stream' },
    body,
  })
  return { status: response.status, text: await response.text() }
}

function download(ref: string, headers: Record<string, string> = server.headers) {
  return fetch(`${server.url}/api/accounts/${ref}/image`, { headers: { 'x-js-account': 'null', ...headers } })
}

test('§7 account image: an upload is re-encoded small and upright, without other data', async () => {
  expect((await upload(new Uint8Array(await photo()))).status).toBe(204)
  const answer = await download('shop')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp'])
  const { format, width, height, exif, orientation } = await sharp(await answer.arrayBuffer()).metadata()
  expect({ format, width, height, exif, orientation }).toEqual({ format: 'webp', width: 171, height: 256 })
})

test('§7 account image: browsers revalidate each time and get 304 when nothing has changed', async () => {
  await upload(new Uint8Array(await photo()))
  const first = await download('shop')
  const tag = first.headers.get('etag') ?? ''
  expect(first.headers.get('cache-control')).toBe('private, no-cache')
  expect((await download('shop', { ...server.headers, 'if-none-match': tag })).status).toBe(304)
  expect((await server.client.me('shop')).account?.image).toBe(tag.replaceAll('"', ''))
  await upload(new Uint8Array(await drawn(20, 20).png().toBuffer()))
  expect((await download('shop', { ...server.headers, 'if-none-match': tag })).status).toBe(200)
})

test('§7 account image: unreadable and oversized files are refused, and the old image stays', async () => {
  await upload(new Uint8Array(await drawn(30, 30).webp().toBuffer()))
  const before = (await download('shop')).headers.get('etag')
  const wide = await drawn(12_000, 12_000).png().toBuffer()
  const broken = (await photo()).subarray(0, 2_000)
  // Each scan, also an empty one, takes as long as decoding the whole picture.
  const scans = Buffer.concat([await photo(), ...Array<Buffer>(101).fill(Buffer.from([0xff, 0xda]))])
  const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>')
  for (const wrong of [
    Buffer.from('zebra'),
    Buffer.alloc(0),
    scans,
    drawing,
    wide,
    broken,
    await drawn(9, 9).gif().toBuffer(),
  ]) {
    expect((await upload(new Uint8Array(wrong))).status).toBe(400)
  }
  expect((await upload(new Uint8Array(2 * 1024 * 1024 + 1))).status).toBe(413)
  expect((await download('shop')).headers.get('etag')).toBe(before)
})

test('an account that uploads many pictures at once has to wait, and another account is not', async () => {
  const other = await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'cafe' } })
  const large = new Uint8Array(await drawn(4_900, 4_900).png().toBuffer())
  const many = Array.from({ length: 12 }, () => upload(large))
  const small = new Uint8Array(await drawn(20, 20).png().toBuffer())
  expect((await upload(small, { account: 'cafe', id: other._id })).status).toBe(204)
  const answers = await Promise.all(many)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 429]))
})

test('§7 account image: users who see the account see it, and managers change it', async () => {
  await upload(new Uint8Array(await drawn(30, 30).webp().toBuffer()))
  await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'bare' } })
  const [reader, stranger] = await Promise.all([
    server.signInAs({ role: 'reportingUser', account: 'shop' }),
    server.signInAs({ role: 'admin', account: 'bare' }),
  ])
  expect((await download('shop', reader.headers)).status).toBe(200)
  expect((await download('shop', {})).status).toBe(401)
  const answers = await Promise.all(['shop', 'bare', 'nowhere'].map((ref) => download(ref, stranger.headers)))
  const refusals = await Promise.all(
    answers.map(async (answer) => [answer.status, (await answer.text()).replace(/"requestId":"[^"]*"/, '')]),
  )
  expect(refusals[0]?.[0]).toBe(404)
  expect(refusals[1]).toEqual(refusals[0])
  expect(refusals[2]).toEqual(refusals[0])

  const picture = new Uint8Array(await drawn(9, 9).png().toBuffer())
  expect((await upload(picture, { headers: reader.headers })).status).toBe(403)
  expect((await upload(picture, { headers: stranger.headers, account: 'bare' })).status).toBe(404)
})

test('§2 account image: the audit log shows who removed it, and it is then not found', async () => {
  await upload(new Uint8Array(await drawn(50, 50).webp().toBuffer()))
  expect((await server.in('shop')('DELETE', `/api/accounts/${_id}/image`)).status).toBe(204)
  expect((await download('shop')).status).toBe(404)
  const log = await server.in('shop')('GET', '/api/auditLogs?size=1')
  expect(log.items).toMatchObject([{ item: _id, actor: server.userId, after: { image: null } }])
})
