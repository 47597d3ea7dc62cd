import { doors as doorsOf } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const at = (lat: number, lng: number) => ({ timeZone: 'UTC', location: { lat, lng } })
const harbour = itemOf(sites, { name: 'Harbour', ...at(-33.91, 18.43) })
const yard = itemOf(sites, { name: 'Yard', ...at(-33.93, 18.44) })
const durban = itemOf(sites, { name: 'Durban', ...at(-29.86, 31.02) })
const depot = itemOf(sites, { name: 'Depot', timeZone: 'UTC' })
const all = [depot, durban, harbour, yard]

const doors = {
  total: 4,
  unknown: 0,
  forced: 0,
  held: 0,
  lockedDown: 0,
  blocked: 0,
  unlocked: 0,
  waiting: 0,
  disabled: 0,
}
const units = { total: 1, notOnline: 0, outOfSync: 0, tampered: 0 }
const stateOf = ({ _id }: { _id: string }) => ({
  _id,
  doors:
    _id === yard._id
      ? { ...doors, forced: 1, blocked: 2 }
      : { ...doors, ...(_id === harbour._id && { held: 1, lockedDown: 2 }) },
  doorIds: {},
  units: _id === durban._id ? { ...units, notOnline: 1 } : units,
  unitIds: {},
  inside: null,
})

async function openMap() {
  const opened = await openConsole('sites/map', {
    answers: [
      ({ path }) => (path === '/api/sites/states' ? { sites: all.map(stateOf) } : undefined),
      holding(sites, all),
    ],
  })
  return { ...opened, map: within(await screen.findByRole('group', { name: /^Map of sites/ })) }
}

test('§7 the map shows each site with its worst state, and nearby sites as one marker with the worst of all', async () => {
  const { user, map } = await openMap()
  const cluster = map.getByRole('button', { name: '2 sites' })
  await waitFor(() => expect(cluster.parentElement?.textContent).toBe('2 sitesForced'))
  expect(map.getByRole('link', { name: 'Durban' }).parentElement?.textContent).toBe('DurbanOffline')
  expect(map.queryByText('Depot')).toBeNull()
  cluster.focus()
  await user.keyboard('{Enter}')
  expect(document.activeElement).toBe(screen.getByRole('group', { name: /^Map of sites/ }))
  expect(map.getByRole('link', { name: 'Harbour' }).parentElement?.textContent).toBe('HarbourLocked down')
  expect(map.getByRole('link', { name: 'Yard' }).getAttribute('href')).toBe(`/main/sites/${yard._id}`)
})

test('§7 the same sites are a list, also those without a location', async () => {
  await openMap()
  const list = within(screen.getByRole('list', { name: 'Sites on the map and without a location' }))
  await waitFor(() =>
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'DepotNo locationNormal',
      'Durban29.86° S, 31.02° EOffline',
      'Harbour33.91° S, 18.43° ELocked down',
      'Yard33.93° S, 18.44° EForced',
    ]),
  )
})

test('§7 the map zooms and moves by keys and buttons', async () => {
  const { user, map } = await openMap()
  const area = screen.getByRole('group', { name: /^Map of sites/ })
  const leftOf = (name: string) =>
    Number.parseFloat(map.getByRole('link', { name }).parentElement?.parentElement?.style.left ?? '')
  const before = leftOf('Durban')
  area.focus()
  await user.keyboard('{ArrowRight}')
  expect(leftOf('Durban')).toBeCloseTo(before - 80, 3)
  await user.click(screen.getByRole('button', { name: 'Show all' }))
  expect(leftOf('Durban')).toBeCloseTo(before, 3)
  fireEvent.pointerDown(area, { pointerId: 1, clientX: 100, clientY: 100 })
  fireEvent.pointerMove(area, { pointerId: 1, clientX: 140, clientY: 100 })
  fireEvent.pointerUp(area, { pointerId: 1, clientX: 140, clientY: 100 })
  expect(leftOf('Durban')).toBeCloseTo(before + 40, 3)
})

test('§4 a site gets its location by degrees or by a press on the map', async () => {
  const { user, sent } = await openConsole(`sites/${depot._id}`, {
    answers: [
      ({ path }) => (path === '/api/events/aggregate' ? { rows: [] } : undefined),
      ({ method, path }) => (method === 'PATCH' && path.startsWith('/api/sites/') ? depot : undefined),
      holding(doorsOf, []),
      holding(sites, [depot]),
    ],
  })
  await user.click(await screen.findByRole('button', { name: 'Edit site' }))
  const form = within(await screen.findByRole('dialog'))
  const area = form.getByRole('group', { name: /^Location\. Arrow keys/ })
  fireEvent.pointerDown(area, { pointerId: 1, clientX: 400, clientY: 210 })
  fireEvent.pointerUp(area, { pointerId: 1, clientX: 400, clientY: 210 })
  const [latitude, longitude] = ['Latitude', 'Longitude'].map((name) => form.getByRole('textbox', { name }))
  expect(longitude).toHaveProperty('value', '0')
  for (const [field, degrees] of [
    [latitude, '-33.92'],
    [longitude, '18.42'],
  ] as const) {
    if (!field) throw new Error('There is no such field.')
    await user.clear(field)
    await user.type(field, degrees)
  }
  await user.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(sent('PATCH', `/api/sites/${depot._id}`).at(-1)?.body).toMatchObject({
      location: { lat: -33.92, lng: 18.42 },
    }),
  )
})
