import { doors } from '@portcullis/contract/collections/doors'
import { floorPlans } from '@portcullis/contract/collections/floor-plans'
import { sites } from '@portcullis/contract/collections/sites'
import { schedules } from '@portcullis/contract/collections/schedules'
import { units } from '@portcullis/contract/collections/units'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { holding, itemOf, refusal, userWith } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const dock = itemOf(sites, { name: 'Dry dock', timeZone: 'UTC' })
const unit = itemOf(units, { name: 'Gatehouse', serial: 'PC-1', site: dock._id, status: 'online' })
const wired = { site: dock._id, unit: unit._id }
const gate = itemOf(doors, { name: 'Gate', ...wired, unitDoor: 1, state: 'forced' })
const hatch = itemOf(doors, { name: 'Hatch', ...wired, unitDoor: 2, state: 'closed' })
const image = { tag: 'a', width: 400, height: 200 }
const at = { x: 0.5, y: 0.5 }

const plan = itemOf(floorPlans, {
  name: 'Ground floor',
  site: dock._id,
  image,
  placements: [
    { kind: 'Door', id: gate._id, ...at },
    { kind: 'Controller', id: unit._id, ...at },
    // Of a door that was deleted.
    { kind: 'Door', id: dock._id, ...at },
  ],
})

const hours = itemOf(schedules, { name: 'Yard hours' })
const side = itemOf(doors, { name: 'Side door', ...wired, unitDoor: 3, state: 'closed', unlockSchedule: hours._id })

type Opening = {
  plans?: (typeof plan)[]
  door?: typeof gate
  picture?: () => Response
  me?: ReturnType<typeof userWith>
}

async function openPlans({ plans = [plan], door = gate, picture = () => new Response('picture'), me }: Opening = {}) {
  return openConsole(`sites/${dock._id}/floorPlans`, {
    ...(me ? { as: me } : {}),
    answers: [
      ({ method, body }) =>
        method === 'PATCH' ? { ...plan, ...z.object({}).loose().parse(body), version: 2 } : undefined,
      ({ path }) => (path.endsWith('/image') ? picture() : undefined),
      ({ path }) =>
        path === '/api/doors/unlockHours'
          ? { doors: [{ _id: side._id, isUnlocked: true, isConfirmed: true, until: null }] }
          : undefined,
      holding(schedules, [hours]),
      holding(floorPlans, plans),
      holding(units, [unit]),
      holding(sites, [dock]),
      holding(doors, [door, hatch, side]),
    ],
  })
}

test('the list has the same doors and controllers with the same states as the markers', async () => {
  await openPlans()
  const canvas = await screen.findByRole('region', { name: 'Ground floor' })
  await within(canvas).findByText('Forced')
  const markers = within(canvas)
    .getAllByRole('button')
    .map(({ textContent }) => textContent)
  expect(markers).toEqual(['GateForced', 'GatehouseOnline'])
  const list = screen.getByRole('region', { name: 'Doors and controllers on Ground floor' })
  const [row] = within(list).getAllByText('Gate')
  expect(row?.closest('tr, [role=row]')?.textContent).toContain('Forced')
  expect(within(list).queryByText('Hatch')).toBeNull()
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['GatehouseOnline'])
})

test('a door unlocked by its schedule is unlocked on its marker and in the list', async () => {
  await openPlans({ plans: [{ ...plan, placements: [{ kind: 'Door', id: side._id, ...at }] }] })
  const canvas = await screen.findByRole('region', { name: 'Ground floor' })
  await within(canvas).findByText('Unlocked')
  expect(within(canvas).getByRole('button').textContent).toBe('Side doorUnlockedClosed')
  const list = screen.getByRole('region', { name: 'Doors and controllers on Ground floor' })
  const tag = await within(list).findByText('Unlocked')
  expect(tag.closest('tr, [role=row]')?.textContent).toContain('Side door')
})

test('a marker opens the state and the commands of its door, and the focus returns', async () => {
  const { user } = await openPlans()
  const canvas = await screen.findByRole('region', { name: 'Ground floor' })
  await user.click(await within(canvas).findByRole('button', { name: /^Gate\b.*Forced/ }))
  const card = await screen.findByRole('dialog', { name: 'Gate' })
  within(card).getByRole('button', { name: 'Unlock once' })
  within(card).getByRole('button', { name: 'More commands for Gate' })
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement?.textContent).toBe('GateForced'))
})

test('a marker shows the worst state of its door first', async () => {
  const { _id, unitDoor } = gate
  await openPlans({ door: itemOf(doors, { _id, name: 'Gate', ...wired, unitDoor, state: 'closed', mode: 'lockdown' }) })
  const canvas = await screen.findByRole('region', { name: 'Ground floor' })
  const marker = (await within(canvas).findByText('Locked down')).closest('button')
  expect(marker?.textContent).toBe('GateLocked downClosed')
})

test('a door is placed and moved by keyboard, announced, and saved in one request', async () => {
  const { user, sent } = await openPlans()
  await user.click(await screen.findByRole('button', { name: 'Edit plan' }))
  await user.click(await screen.findByRole('button', { name: 'Place Hatch' }))
  const marker = await screen.findByRole('button', { name: 'Move Hatch' })
  marker.focus()
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowUp}{Shift>}{ArrowLeft}{/Shift}')
  await screen.findByText('Hatch: 51.9 % from the left, 49 % from the top')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent('PATCH', `/api/floorPlans/${plan._id}`)).toHaveLength(1))
  const placements = [...plan.placements, { kind: 'Door', id: hatch._id, x: 0.519, y: 0.49 }]
  expect(sent('PATCH', `/api/floorPlans/${plan._id}`)[0]?.body).toEqual({ placements, version: 1 })
})

test('cancelling asks before places are lost', async () => {
  const { user, sent } = await openPlans()
  await user.click(await screen.findByRole('button', { name: 'Edit plan' }))
  await user.click(await screen.findByRole('button', { name: 'Remove Gate from the plan' }))
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
  await user.click(screen.getByRole('button', { name: 'Place Gate' }))
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(await screen.findByRole('button', { name: 'Discard changes' }))
  await screen.findByRole('button', { name: 'Edit plan' })
  expect(sent('PATCH', `/api/floorPlans/${plan._id}`)).toEqual([])
})

test('users who may only see the site see no way to change its plans', async () => {
  await openPlans({ me: userWith([{ action: 'view', subject: 'Sites' }]) })
  const canvas = await screen.findByRole('region', { name: 'Ground floor' })
  await within(canvas).findByText('Forced')
  for (const name of ['Edit plan', 'Add floor plan', 'Rename or delete']) {
    expect(screen.queryByRole('button', { name })).toBeNull()
  }
})

test('a site without plans offers to add one', async () => {
  const { user } = await openPlans({ plans: [] })
  await screen.findByText('No floor plans yet')
  await user.click(screen.getByRole('button', { name: 'Add floor plan' }))
  expect(await screen.findByRole('dialog', { name: 'Add floor plan' })).toBeTruthy()
})

test('an image that fails is reported, and loads after Retry', async () => {
  let isFailing = true
  const { user } = await openPlans({
    picture: () => (isFailing ? refusal({ code: 'not_found' }) : new Response('picture')),
  })
  const retry = await screen.findByRole('button', { name: 'Retry' })
  isFailing = false
  await user.click(retry)
  expect(await screen.findByRole('region', { name: 'Ground floor' })).toBeTruthy()
})

test('a file that is no image is refused with the types and the size that are accepted', async () => {
  const { user, sent } = await openPlans()
  await user.click(await screen.findByRole('button', { name: 'Edit plan' }))
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  const file = new File(['%PDF'], 'plan.pdf', { type: 'application/pdf' })
  if (input) fireEvent.change(input, { target: { files: [file] } })
  const words = 'This file cannot be used. Choose a PNG, JPEG or WebP image of at most 8 MB and 25 megapixels.'
  expect(await screen.findByText(words)).toBeTruthy()
  expect(sent('PUT', `/api/floorPlans/${plan._id}/image`)).toEqual([])
})
