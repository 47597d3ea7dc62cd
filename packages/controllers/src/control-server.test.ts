import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { type IncomingHttpHeaders, request, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { controlClient } from './control-client.ts'
import { controlServer } from './control-server.ts'
import { type ScriptedServer, scriptedServer } from './scripted-server.ts'
import { config, pace } from './test-configuration.ts'
import { UnitStore } from './unit-store.ts'
import { noFaults } from './unit-link.ts'
import { VirtualUnits } from './virtual-units.ts'

const token = 'the token'

let dir: string
let gateway: ScriptedServer
let units: VirtualUnits
let server: Server
let url: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'control-server-'))
  gateway = await scriptedServer()
  units = await VirtualUnits.open({ dir, url: gateway.url, pace })
  server = controlServer({ units, token }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterEach(async () => {
  server.close()
  server.closeAllConnections()
  await units.stop()
  await gateway.close()
  await rm(dir, { recursive: true })
})

type CallOptions = { method?: string; headers?: Record<string, string>; body?: string }

/** `fetch` does not let a caller choose the Host. */
async function call(path: string, { method = 'GET', headers = {}, body }: CallOptions = {}) {
  const sent = request(`${url}${path}`, { method, headers: { authorization: `Bearer ${token}`, ...headers } })
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number | undefined
    text: string
    headers: IncomingHttpHeaders
  }>()
  sent.once('error', reject)
  sent.once('response', (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)))
    response.once('end', () => resolve({ status: response.statusCode, text, headers: response.headers }))
  })
  sent.end(body)
  return promise
}

const post = (path: string, body: unknown) => call(path, { method: 'POST', body: JSON.stringify(body) })

/** A unit with one door, which card 4711 opens. */
async function addUnit(serial: string) {
  const unit = await units.add({ serial, code: 'code' })
  gateway.configure(config, 1)
  await expect.poll(() => unit.state().running?.appliedVersion).toBe(1)
  return unit
}

test('a request under another host name is refused, even with the token', async () => {
  const host = `doors.example.com:${new URL(url).port}`
  for (const path of ['/', '/page', '/units']) {
    expect(await call(path, { headers: { host } }), path).toMatchObject({ status: 403 })
  }
  expect(await call('/units', { headers: { host: `localhost:${new URL(url).port}` } })).toMatchObject({ status: 200 })
})

test('a page of another origin is refused, even with the token, and gets no permission of CORS', async () => {
  await addUnit('PC-1')
  const headers = { origin: 'http://127.0.0.1:8080' }
  for (const method of ['OPTIONS', 'GET', 'POST']) {
    const answer = await call('/units/PC-1/power-cut', { method, headers })
    expect(answer, method).toMatchObject({ status: 403 })
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  }
  expect(await call('/units', { headers: { origin: url } })).toMatchObject({ status: 200 })
})

test('without the token only the empty page is served, which may load nothing from elsewhere', async () => {
  await addUnit('PC-1')
  const withoutToken = { headers: { authorization: '' } }
  const page = await call('/', withoutToken)
  expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
  expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
  expect(page.text).not.toContain('PC-1')
  for (const path of ['/page.css', '/page.mjs']) expect(await call(path, withoutToken)).toMatchObject({ status: 200 })
  for (const path of ['/page', '/units', '/units/PC-1', '/page.html', '/../package.json']) {
    expect(await call(path, withoutToken), path).toMatchObject({ status: 401 })
  }
})

test('only POST operates a unit', async () => {
  const unit = await addUnit('PC-1')
  expect(await call('/units/PC-1/stop')).toMatchObject({ status: 405 })
  expect(unit.state().running).not.toBeNull()
  expect(await call('/units/PC-1/stop', { method: 'POST' })).toMatchObject({ status: 200 })
  expect(unit.state().running).toBeNull()
})

test('bad input is refused with a sentence that says what to enter', async () => {
  await addUnit('PC-1')
  const refusals = [
    ['/units/PC-1/present', { number: '4711' }, 'Enter the door number on the controller, such as 1.'],
    ['/units/PC-1/present', { door: 1.5, number: '4711' }, 'Enter the door number on the controller, such as 1.'],
    ['/units/PC-1/present', { door: 0, number: '4711' }, 'Door numbers start at 1.'],
    ['/units/PC-1/present', { door: 1 }, 'Enter the number of the credential.'],
    ['/units/PC-1/present', { door: 1, kind: 'pin' }, 'Enter the PIN.'],
    ['/units/PC-1/present', { door: 1, kind: 'pin', number: '1', pin: '1' }, 'Unrecognized key: "number"'],
    ['/units/PC-1/door', { door: 2 ** 31, what: 'forced' }, 'Door numbers are at most 2,147,483,647.'],
    ['/units/PC-1/faults', { slowMs: -1 }, 'The delay cannot be negative.'],
    ['/units/PC-1/faults', { lossPercent: 101 }, 'The share of lost messages is at most 100 %.'],
    ['/units/PC-1/faults', { maxDoors: 65 }, 'The number of doors is at most 64.'],
    ['/units/PC-1/faults', { maxSchedules: 1_001 }, 'The number of schedules is at most 1,000.'],
    ['/units/PC-1/faults', { maxEvents: 9 }, 'The number of events is at least 10.'],
    ['/units/PC-1/faults', { maxCredentials: -1 }, 'The number of credentials cannot be negative.'],
    ['/units/PC-1/faults', { clockOffsetMs: 4e12 }, 'The clock is wrong by at most 100 years.'],
    ['/units', { serial: 'PC-2', code: '' }, 'Enter the code from the console.'],
  ] as const
  for (const [path, body, error] of refusals) {
    expect(await post(path, body), error).toMatchObject({ status: 400, text: JSON.stringify({ error }) })
  }
  const bodies = [
    ['{', 400, 'The body is not JSON.'],
    ['x'.repeat(70_000), 413, 'The body is longer than 65536 characters.'],
  ] as const
  for (const [body, status, error] of bodies) {
    const answer = await call('/units/PC-1/present', { method: 'POST', body })
    expect(answer).toMatchObject({ status, text: JSON.stringify({ error }) })
  }
})

test('the page shows the units, and the selected one with its doors, faults and last decisions', async () => {
  await addUnit('PC-1')
  await addUnit('PC-2')
  const control = controlClient({ url, token })
  await control.present('PC-2', { door: 1, number: '4711' })
  await control.present('PC-2', { door: 1, number: '<b>1' })
  await control.present('PC-2', { door: 1, kind: 'pin', pin: '2580' })
  await control.present('PC-2', { door: 1, kind: 'qr', number: 'secret' })
  await control.setFaults('PC-2', { offline: true, clockOffsetMs: -90_000, memory: 'stuck' })

  const { text } = await call('/page?unit=PC-2')
  expect(text).toContain('href="?unit=PC-1"')
  expect(text).toContain(', faults: 3</span>')
  expect(text).toContain('action="/units/PC-2/present"')
  expect(text).toContain('1: Front door')
  expect(text).toContain('Granted.')
  expect(text).toContain('Card 4711')
  expect(text).toContain('Denied: Unknown credential (credential_unknown).')
  expect(text).toContain('Card &lt;b&gt;1')
  expect(text).not.toContain('2580')
  expect(text).not.toContain('secret')
  expect(text).toMatch(/name="offline:boolean"\s+value="on"\s+checked/)
  expect(text).toContain('value="-90"')
  expect(text).toMatch(/value="stuck"\s+selected/)
})

test('every fault has a field on the page with its present value, and the log can be lost', async () => {
  const unit = await addUnit('PC-1')
  const faults = {
    ...noFaults,
    unreadable: true,
    lossPercent: 20,
    maxDoors: 3,
    maxCredentials: 250,
    maxSchedules: 7,
    maxEvents: 50,
  }
  expect(await post('/units/PC-1/faults', faults)).toMatchObject({ status: 200 })
  expect(unit.state().faults).toEqual(faults)
  const { text } = await call('/page?unit=PC-1')
  for (const name of Object.keys(noFaults)) expect(text).toMatch(new RegExp(`name="${name}[:"]`))
  expect(text).toMatch(/name="unreadable:boolean"\s+value="on"\s+checked/)
  for (const [name, value] of [
    ['lossPercent', 20] as const,
    ['maxDoors', 3] as const,
    ['maxCredentials', 250] as const,
    ['maxSchedules', 7] as const,
    ['maxEvents', 50] as const,
  ])
    expect(text).toMatch(new RegExp(`name="${name}:number"[^>]*value="${value}"`))
  expect(text).toContain('action="/units/PC-1/lose-log"')
  expect(await post('/units/PC-1/lose-log', {})).toMatchObject({ status: 200 })
})

test('the page says what to do without units, and for one that does not exist', async () => {
  expect((await call('/page')).text).toContain('No virtual controllers yet.')
  const { status, text } = await call('/page?unit=%3Cscript%3E')
  expect(status).toBe(200)
  expect(text).toContain('No virtual controller has the serial number &lt;script&gt;.')
})

test('a unit that is switched off can be switched on, and takes faults', async () => {
  const unit = await addUnit('PC-1')
  await unit.stop()
  const { text } = await call('/page')
  expect(text).toContain('Switched off')
  expect(text).toContain('action="/units/PC-1/start"')
  expect(text).not.toContain('action="/units/PC-1/present"')
  expect(await post('/units/PC-1/faults', { duplicate: true })).toMatchObject({ status: 200 })
  expect(await post('/units/PC-1/present', { door: 1, number: '1' })).toMatchObject({
    status: 409,
    text: JSON.stringify({ error: 'Unit PC-1 is switched off.' }),
  })
})

test('a disk that fails is a fault, not a refusal', async () => {
  await addUnit('PC-1')
  const staged = join(dir, 'PC-1', 'faults.json.staged')
  await mkdir(staged)
  const { status, text } = await post('/units/PC-1/faults', { duplicate: true })
  expect(status).toBe(500)
  expect(text).toContain('EISDIR')
  await rmdir(staged)
  expect(await post('/units/PC-1/faults', { duplicate: true })).toMatchObject({ status: 200 })
})

test('a controller that was removed in the meantime cannot be switched on', async () => {
  const unit = await addUnit('PC-1')
  await unit.remove(async () => {})
  for (const action of ['start', 'power-cut', 'lose-log', 'faults'])
    expect(await post(`/units/PC-1/${action}`, {}), action).toMatchObject({
      status: 409,
      text: JSON.stringify({ error: 'Unit PC-1 was removed.' }),
    })
})

test('a controller that failed to enrol shows why on the page, and can be removed; an enrolled one cannot', async () => {
  await addUnit('PC-1')
  gateway.answerWith(() => gateway.send({ type: 'refused', code: 'bad_code', message: 'Ask for a new code.' }))
  expect(await post('/units', { serial: 'PC-2', code: 'code' })).toMatchObject({ status: 409 })
  const page = await call('/page?unit=PC-2')
  expect(page.text).toContain('Refused, bad_code: Ask for a new code.')
  expect(page.text).toContain('action="/units/PC-2/remove"')
  expect((await call('/page?unit=PC-1')).text).not.toContain('/remove"')
  expect(await post('/units/PC-1/remove', {})).toMatchObject({ status: 409 })
  expect(await post('/units/PC-2/remove', {})).toMatchObject({ status: 200 })
  expect(units.list().map(({ serial }) => serial)).toEqual(['PC-1'])
  expect(await readdir(dir)).toEqual(['PC-1'])
})

test('a controller that is switched off can be removed, unless it is enrolled', async () => {
  const enrolled = await addUnit('PC-1')
  gateway.answerWith(() => gateway.send({ type: 'refused', code: 'bad_code', message: 'Ask for a new code.' }))
  await post('/units', { serial: 'PC-2', code: 'code' })
  await enrolled.stop()
  await units.find('PC-2')?.stop()
  expect(await post('/units/PC-1/remove', {})).toMatchObject({
    status: 409,
    text: JSON.stringify({ error: 'Only a controller that is not enrolled can be removed.' }),
  })
  expect(await post('/units/PC-2/remove', {})).toMatchObject({ status: 200 })
  expect(units.list()).toEqual([enrolled])
  await enrolled.start()
  expect(enrolled.state().running?.unit).not.toBeNull()
})

test('a controller that is added while its removal runs begins in a folder of its own', async () => {
  gateway.answerWith(() => gateway.send({ type: 'refused', code: 'bad_code', message: 'Ask for a new code.' }))
  await expect(units.add({ serial: 'PC-1', code: 'old' })).rejects.toThrow('Ask for a new code.')
  const [refused] = units.list()
  if (!refused) throw new Error('There is no unit.')
  gateway.answerWith()
  const removal = units.remove(refused)
  const again = await units.add({ serial: 'PC-1', code: 'new' })
  await removal
  expect(again).not.toBe(refused)
  expect(units.list()).toEqual([again])
  expect(await UnitStore.isEnrolled(join(dir, 'PC-1'))).toBe(true)
})

test('a removal that failed can be repeated', async () => {
  gateway.answerWith(() => gateway.send({ type: 'refused', code: 'bad_code', message: 'Ask for a new code.' }))
  await post('/units', { serial: 'PC-1', code: 'code' })
  const identity = join(dir, 'PC-1', 'identity.json')
  const kept = await readFile(identity)
  await writeFile(identity, '{')
  expect(await post('/units/PC-1/remove', {})).toMatchObject({ status: 409 })
  await writeFile(identity, kept)
  expect(await post('/units/PC-1/remove', {})).toMatchObject({ status: 200 })
  expect(await readdir(dir)).toEqual([])
})
