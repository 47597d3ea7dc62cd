import { doorInterlocks } from '@portcullis/contract/calls/door-interlocks'
import { doors } from '@portcullis/contract/collections/doors'
import { interlockingGroups } from '@portcullis/contract/collections/interlocking-groups'
import { schedules } from '@portcullis/contract/collections/schedules'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const site = itemOf(sites, { name: 'Cold store', timeZone: 'UTC' })
const north = itemOf(units, { name: 'North', serial: 'PC-1', site: site._id, status: 'online' })
const south = itemOf(units, { name: 'South', serial: 'PC-2', site: site._id, status: 'offline' })
const doorOf = (name: string, unit: typeof north, unitDoor: number) =>
  itemOf(doors, { name, site: site._id, unit: unit._id, unitDoor })
const [outer, inner, hatch] = [doorOf('Outer', north, 1), doorOf('Inner', south, 1), doorOf('Hatch', north, 2)]
const shared = itemOf(interlockingGroups, { name: 'Airlock', doors: [outer._id, inner._id] })
const local = itemOf(interlockingGroups, { name: 'Lobby', doors: [outer._id, hatch._id] })
const lonely = itemOf(interlockingGroups, { name: 'Lonely', doors: [hatch._id] })

const now = doorInterlocks.output.parse({
  lock: 'locked',
  interlocks: [
    {
      ...shared,
      isShared: true,
      doors: [
        { ...outer, unit: north._id, state: 'secure', fault: null },
        { ...inner, unit: south._id, state: 'unknown', fault: 'out_of_sync' },
      ],
    },
  ],
})

const nowLocal = doorInterlocks.output.parse({
  lock: 'locked',
  interlocks: [
    {
      ...local,
      isShared: false,
      doors: [
        { ...outer, unit: north._id, state: 'unknown', fault: null },
        { ...hatch, unit: north._id, state: 'open', fault: null },
      ],
    },
  ],
})

const open = (path: string, answer = now) =>
  openConsole(path, {
    answers: [
      ({ path }) => (path === `/api/doors/${outer._id}/interlocks` ? answer : undefined),
      ({ path }) => (path === '/api/events/aggregate' ? { rows: [] } : undefined),
      holding(interlockingGroups, [shared, local, lonely]),
      holding(sites, [site]),
      holding(units, [north, south]),
      holding(userGroups, []),
      holding(schedules, []),
      holding(doors, [outer, inner, hatch]),
    ],
  })

test('the list of interlocks shows which of them ask the server, and which do nothing', async () => {
  await open('sites/interlocks')
  const rowOf = async (name: string) => (await screen.findByText(name)).closest('tr, [role=row]')?.textContent
  await expect.poll(() => rowOf('Airlock')).toMatch(/2 controllersasks the serverNot reported$/)
  await expect.poll(() => rowOf('Lobby')).toMatch(/1 controller$/)
  expect(await rowOf('Lonely')).toMatch(/No effect$/)
})

test('an interlock shows its doors now, and that one which is not reported keeps the others locked', async () => {
  const { user } = await open(`sites/interlocks?open=${shared._id}`)
  const drawer = await screen.findByRole('dialog', { name: 'Airlock' })
  const list = await within(drawer).findByRole('list', { name: 'Doors now' })
  expect(list.textContent).toBe('OuterClosed and lockedInnerNot reportedIts controller is out of sync')
  within(drawer).getByText(/^.?Inner.? keeps the other doors locked/)
  const link = within(list).getByRole('link', { name: 'Inner' })
  expect(link.getAttribute('href')).toBe(`/main/sites/${site._id}?open=${inner._id}`)
  expect(within(drawer).queryByText(/with one door does nothing/)).toBeNull()
  await user.click(within(drawer).getByRole('combobox', { name: /Doors/ }))
  const option = await screen.findByRole('option', { name: /Hatch/ })
  await expect.poll(() => option.textContent).toBe('HatchCold store · North')
})

test('of doors of one controller, one that is open keeps the others locked', async () => {
  await open(`sites/interlocks?open=${local._id}`, nowLocal)
  expect(await screen.findByText(/^.?Hatch.? keeps the other doors locked, except for request to exit/)).toBeTruthy()
})

test('an interlock with one door says that it does nothing', async () => {
  await open(`sites/interlocks?open=${lonely._id}`)
  expect(await screen.findByText('An interlock with one door does nothing. Add the other doors.')).toBeTruthy()
})

test('a door names its interlocks, with a link to each', async () => {
  await open(`sites/${site._id}?open=${outer._id}`)
  const drawer = await screen.findByRole('dialog', { name: 'Outer' })
  const link = await within(drawer).findByRole('link', { name: 'Airlock' })
  expect(link.getAttribute('href')).toBe(`/main/sites/interlocks?open=${shared._id}`)
  within(drawer).getByText('Its controller is out of sync')
})
