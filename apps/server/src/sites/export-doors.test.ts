import { collections } from '@portcullis/contract/collections/registry'
import type { ExportRequest } from '@portcullis/contract/export-request'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeItem } from '../collections/test-items.ts'
import { cellsOf, unzip } from '../exports/test-workbook.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'branch' } })
const branch = server.in('branch')
const own = (collection: 'sites' | 'units' | 'doors' | 'doorGroups', fields = {}) =>
  makeItem({ ask: server.ask, collection, fields })
const columns = ['site', 'name', 'unit', 'groups', 'mode']
const sort = { prop: 'name', dir: 'asc' } as const

beforeAll(async () => {
  const [harbour, depot] = [await own('sites', { name: '=Harbour' }), await own('sites', { name: 'Depot' })]
  const unit = await own('units', { name: 'North' })
  const gate = await own('doors', { name: '+Gate', site: harbour._id, unit: unit._id, unitDoor: 1 })
  await own('doors', { name: 'Hatch', site: harbour._id })
  await own('doors', { name: 'Ramp', site: depot._id })
  await own('doorGroups', { name: '@Gates', members: [gate._id] })
  await makeItem({ ask: branch, collection: 'doors', fields: { name: 'Below' } })
  await server.ask('PUT', `/api/doors/${gate._id}/mode`, { body: { mode: 'lockdown' } })
})

async function bytesOf(request: ExportRequest, allAccounts: 'yes' | 'no' = 'no') {
  const { response, fileName } = await server.client.exportDoorsOfSites(request, { allAccounts })
  return { bytes: Buffer.from(await response.arrayBuffer()), fileName }
}

async function rowsOf(request: Omit<ExportRequest, 'format'>, allAccounts: 'yes' | 'no' = 'no') {
  const { bytes } = await bytesOf({ sort, ...request, format: 'json' }, allAccounts)
  return z.array(z.record(z.string(), z.unknown())).parse(JSON.parse(bytes.toString()))
}

describe('§7 sites/doors/export', () => {
  const harbour = { filter: { name: { like: 'harbour' } }, columns, sort }

  test('has the doors of the sites that the filter or the search finds, with names', async () => {
    const gate = { site: '=Harbour', name: '+Gate', unit: 'North', groups: ['@Gates'], mode: 'lockdown' }
    const hatch = { site: '=Harbour', name: 'Hatch', unit: null, groups: [], mode: 'normal' }
    expect(await rowsOf(harbour)).toEqual([gate, hatch])
    expect(await rowsOf({ search: 'depot', columns: ['name'] })).toEqual([{ name: 'Ramp' }])
    expect((await rowsOf({ columns: ['name'] })).map(({ name }) => name)).toEqual(['+Gate', 'Hatch', 'Ramp'])
  })

  test('has the doors of accounts below only on request', async () => {
    const all = await rowsOf({ columns: ['name'] }, 'yes')
    expect(all.map(({ name }) => name)).toContain('Below')
  })

  test('as csv and xlsx keeps formulas harmless', async () => {
    const csv = await bytesOf({ ...harbour, format: 'csv' })
    expect(csv.bytes.toString()).toBe(
      `\uFEFFsite,name,unit,groups,mode\r\n'=Harbour,'+Gate,North,'@Gates,lockdown\r\n'=Harbour,Hatch,,,normal\r\n`,
    )
    expect(csv.fileName).toMatch(new RegExp(String.raw`^doors-${server.account}-\d{4}-\d\d-\d\d\.csv$`))
    const xlsx = await bytesOf({ ...harbour, format: 'xlsx' })
    const cells = cellsOf(unzip(xlsx.bytes).get('xl/worksheets/sheet1.xml') ?? '')
    expect([cells.get('A2'), cells.get('B2'), cells.get('D2')]).toEqual(['=Harbour', '+Gate', '@Gates'])
  })

  test('takes filters of sites and columns of doors, and refuses others by name', async () => {
    const refused = async (body: object) =>
      (await server.ask('POST', '/api/sites/doors/export', { body: { format: 'json', ...body } })).error.fields
    expect(Object.keys(await refused({ filter: { unitDoor: 1 } }))).toEqual(['filter'])
    expect(Object.keys(await refused({ columns: ['timeZone'] }))).toEqual(['columns'])
    expect(Object.keys(await refused({ sort: { prop: 'address' } }))).toEqual(['sort'])
  })

  test('is recorded in the audit log', async () => {
    await rowsOf(harbour)
    const { items } = await server.client.of(collections.auditLogs).list({ filter: { action: 'export' }, size: 1 })
    expect(items[0]).toMatchObject({
      collection: 'doors',
      after: { format: 'json', filter: { sites: harbour.filter }, columns, rows: 2, isWhole: true },
    })
  })

  test('requires the right to view sites', async () => {
    const { ask } = await server.signInAs({ role: 'appUser' })
    expect((await ask('POST', '/api/sites/doors/export', { body: { format: 'csv' } })).status).toBe(403)
  })
})
