import { sites } from '@portcullis/contract/collections/sites'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { holding, itemOf, userWith } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const [harbour, depot, yard] = ['Harbour', 'Depot', 'Yard'].map((name) => itemOf(sites, { name, timeZone: 'UTC' }))
const all = [harbour, depot, yard].filter((site) => site !== undefined)
const [forcedDoor = '', lateUnit = '', ...lockedDoors] = Array.from({ length: 4 }, () => crypto.randomUUID())
const none = {
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
const online = { total: 2, notOnline: 0, outOfSync: 0, tampered: 0 }
const states = [
  { doors: none, units: online, inside: 1_204 },
  { doors: { ...none, unknown: 4 }, units: { ...online, notOnline: 2 }, inside: null },
  {
    doors: { ...none, forced: 1, lockedDown: 2, waiting: 1, disabled: 3 },
    doorIds: { forced: [forcedDoor], lockedDown: lockedDoors },
    units: { ...online, outOfSync: 1, tampered: 1 },
    unitIds: { outOfSync: [lateUnit] },
  },
]

async function open(as?: ReturnType<typeof userWith>) {
  const asked: string[] = []
  await openConsole('sites/list', {
    ...(as ? { as } : {}),
    answers: [
      ({ path, query }) => {
        if (path !== '/api/sites/states') return undefined
        asked.push(query.get('ids') ?? '')
        const found = all.map(({ _id }, at) => ({ _id, doorIds: {}, unitIds: {}, inside: 0, ...states[at] }))
        return { sites: as ? found.map((site) => ({ ...site, units: null })) : found }
      },
      holding(sites, all),
    ],
  })
  await screen.findByText('All doors are normal')
  const rowOf = (name: string) => screen.getByText(name).closest<HTMLElement>('tr, [role=row]')
  return { asked, textOf: (name: string) => rowOf(name)?.textContent ?? '', rowOf }
}

test('§2 the site list shows the doors and controllers of each site now, with one request for the page', async () => {
  const { asked, textOf, rowOf } = await open()
  expect(asked.map((ids) => ids.split(',').toSorted())).toEqual([all.map(({ _id }) => _id).toSorted()])
  expect(textOf('Harbour')).toContain('All doors are normal4 doorsOnline and in sync2 controllers')
  expect(textOf('Yard')).toContain('Forced: 1Locked down: 2Mode not confirmed: 1Disabled: 34 doors')
  expect(textOf('Yard')).toContain('Tampered: 1Out of sync: 12 controllers')
  expect(textOf('Depot')).toContain('Unknown: 44 doorsOffline: 22 controllers')
  expect(rowOf('Depot')?.querySelector('[data-tone=ok]')).toBeNull()
  expect(within(rowOf('Harbour') ?? document.body).getAllByText(/normal|sync/)).toHaveLength(2)
})

test('§2 the site list shows how many users are inside, or what counting them needs', async () => {
  const { textOf } = await open()
  expect(screen.getByText('Users inside')).toBeTruthy()
  expect(textOf('Harbour')).toContain('2 controllers1,204 users inside')
  expect(textOf('Depot')).toContain('2 controllersUsers inside are not counted')
  expect(textOf('Yard')).toContain('2 controllers0 users inside')
})

test('§2 each number of the site list is a link to exactly its doors or controllers', async () => {
  const { rowOf } = await open()
  const links = within(rowOf('Yard') ?? document.body).getAllByRole('link')
  const hrefs = links.map((link) => [link.textContent, decodeURIComponent(link.getAttribute('href') ?? '')])
  expect(hrefs).toEqual([
    ['Forced: 1', `/main/sites/${yard?._id}?door=${forcedDoor}`],
    ['Locked down: 2', `/main/sites/${yard?._id}?door=${lockedDoors.join(',')}`],
    ['Out of sync: 1', `/main/units/list?unit=${lateUnit}`],
  ])
})

test('§6 the site list has no controllers for users who may not view them', async () => {
  await open(userWith([{ action: 'view', subject: 'Sites' }]))
  expect(screen.queryByText('Controllers now')).toBeNull()
})

test('§7 the site list exports the doors of the sites that its filters find', async () => {
  const bodies: unknown[] = []
  await openConsole('sites/list?search=harb', {
    answers: [
      ({ path, body }) => {
        if (path !== '/api/sites/doors/export') return undefined
        bodies.push(body)
        return new Response('site,name')
      },
      holding(sites, all),
    ],
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Export doors' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'CSV' }))
  await expect
    .poll(() => bodies)
    .toMatchObject([
      {
        format: 'csv',
        search: 'harb',
        sort: { prop: 'name' },
        columns: [{ field: 'site' }, {}, {}, {}, {}, {}, {}, {}, {}, { field: 'groups' }],
      },
    ])
})
