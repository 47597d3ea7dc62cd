import { doors } from '@portcullis/contract/collections/doors'
import { holidays } from '@portcullis/contract/collections/holidays'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { sites } from '@portcullis/contract/collections/sites'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf, refusal } from '../routes/test-answers.ts'
import { type Answer, openConsole } from '../routes/test-app.tsx'

const [days, nights] = [itemOf(schedules, { name: 'Days' }), itemOf(schedules, { name: 'Nights' })]
const site = '0198c0de-0000-7000-8000-0000000000aa'
const gate = itemOf(doors, { name: 'Gate', site, unlockSchedule: days._id })
const staff = Array.from({ length: 7 }, (_, at) =>
  itemOf(rules, {
    name: `Staff ${at + 1}`,
    effect: 'allow',
    who: [],
    where: [{ kind: 'Door', id: gate._id }],
    schedule: days._id,
  }),
)

test('a schedule shows the rules that use it, with their doors, and a link to all of them', async () => {
  await open()
  const uses = within(await screen.findByRole('region', { name: 'Used by' }))
  const link = await uses.findByRole('link', { name: 'Staff 1' })
  expect(link.getAttribute('href')).toBe(`/main/rules/list?open=${staff[0]?._id}`)
  expect(uses.queryByRole('link', { name: 'Staff 6' })).toBeNull()
  await waitFor(() => expect(uses.getAllByText(/Gate/)).toHaveLength(6))
  expect(await uses.findByText(/1 door stands unlocked while it is open:/)).toBeTruthy()
  const all = uses.getByRole('link', { name: 'Show all 7 rules' })
  expect(all.getAttribute('href')).toBe(`/main/rules/list?schedule=${days._id}`)
})

test('a schedule in use is deleted with a replacement only', async () => {
  const done = { rules: [], doors: [], deletion: null }
  const { user, sent } = await open([({ path }) => (path.endsWith('/replace') ? done : undefined)])
  const dialog = await openDialog(user)
  await dialog.findByText(/^Used by .?7 rules and 1 door.?\. Select the schedule/u)
  expect(dialog.getByRole('button', { name: 'Replace and delete' })).toHaveProperty('disabled', true)
  await user.click(dialog.getByRole('combobox', { name: 'Replace with' }))
  await user.click(await screen.findByRole('option', { name: 'Nights' }))
  await user.click(dialog.getByRole('button', { name: 'Replace and delete' }))
  const bodies = () => sent('POST', `/api/schedules/${days._id}/replace`).map(({ body }) => body)
  await waitFor(() => expect(bodies()).toEqual([{ by: nights._id, delete: true }]))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Days' })).toBeNull())
})

test('undo restores the schedule first, then each rule', async () => {
  const [first, second, deletion] = [1, 2, 3].map((at) => `0198c0de-0000-4000-8000-0000000000e${at}`)
  const done = { rules: [first, second].map((entry, at) => ({ _id: staff[at]?._id, entry })), doors: [], deletion }
  const undone: (string | undefined)[] = []
  const { user } = await open([
    ({ path }) => (path.endsWith('/replace') ? done : undefined),
    ({ path }) => {
      const [, entry] = /^\/api\/auditLogs\/(.*)\/undo$/.exec(path) ?? []
      if (entry === undefined) return undefined
      undone.push(entry)
      return { entry, collection: 'rules', action: 'patch', item: null, notRestored: [] }
    },
  ])
  const dialog = await openDialog(user)
  await user.click(dialog.getByRole('combobox', { name: 'Replace with' }))
  await user.click(await screen.findByRole('option', { name: 'Nights' }))
  await user.click(dialog.getByRole('button', { name: 'Replace and delete' }))
  await user.click(await screen.findByText('Undo'))
  expect(await screen.findByText('The changes are undone')).toBeTruthy()
  expect(undone).toEqual([deletion, second, first])
})

test('if another account uses the schedule, the dialog says so', async () => {
  const { user } = await open([
    ({ path }) => (path.endsWith('/replace') ? refusal({ code: 'schedule_used_elsewhere' }) : undefined),
  ])
  const dialog = await openDialog(user)
  await user.click(dialog.getByRole('combobox', { name: 'Replace with' }))
  await user.click(await screen.findByRole('option', { name: 'Nights' }))
  await user.click(dialog.getByRole('button', { name: 'Replace and delete' }))
  expect(await dialog.findByText(/^Rules or doors of another account use this schedule\./)).toBeTruthy()
})

test('an unused schedule is deleted as usual', async () => {
  const { user } = await open([holding(rules, []), holding(doors, [])])
  await screen.findByText('No rule or door of this account uses this schedule.')
  const dialog = await openDialog(user)
  expect(dialog.queryByRole('combobox')).toBeNull()
})

function open(answers: readonly Answer[] = []) {
  return openConsole(`rules/schedules?open=${days._id}`, {
    answers: [
      ...answers,
      ({ path, query }) =>
        path === '/api/schedules' && query.get('filter')?.includes('"ne"')
          ? holding(schedules, [nights])({ method: 'GET', path, query, headers: new Headers(), body: undefined })
          : undefined,
      ({ path }) => (path === '/api/holidays/above' ? { holidays: [] } : undefined),
      holding(schedules, [days, nights]),
      holding(rules, staff),
      holding(doors, [gate]),
      holding(sites, []),
      holding(holidays, []),
    ],
  })
}

async function openDialog(user: Awaited<ReturnType<typeof openConsole>>['user']) {
  await screen.findByRole('region', { name: 'Used by' })
  await waitFor(() => expect(screen.getByRole('region', { name: 'Used by' }).textContent).not.toBe('Used by'))
  await user.click(within(screen.getByRole('dialog', { name: 'Days' })).getByRole('button', { name: 'Delete' }))
  return within(await screen.findByRole('dialog', { name: 'Delete Days?' }))
}
