import { doors } from '@portcullis/contract/collections/doors'
import { lockdownPlans } from '@portcullis/contract/collections/lockdown-plans'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf, pageOf } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const security = itemOf(userGroups, { name: 'Security' })
const gate = itemOf(doors, { name: 'Gate', site: security._id })
const drill = itemOf(lockdownPlans, {
  name: 'Drill',
  places: [],
  mayPass: [{ kind: 'User Group', id: security._id }],
  endsAfterMinutes: 5,
  note: 'Fire drill only',
})
const open = (path: string, plan = drill) =>
  openConsole(path, {
    answers: [
      holding(lockdownPlans, [plan]),
      ({ path: list }) =>
        /^\/api\/(sites|doors|siteGroups|doorGroups|userGroups)$/.test(list)
          ? pageOf(list.endsWith('userGroups') ? [security] : [])
          : undefined,
    ],
  })

test('before it is started, a plan shows when its lockdown ends, who still passes, and its note', async () => {
  const { user } = await open('rules/lockdownPlans')
  await user.click(await screen.findByRole('button', { name: 'Lock down…' }))
  const row = (await screen.findByRole('button', { name: 'Lock down now: Drill' })).closest('li')
  expect(row?.textContent).toContain('Ends after 5 minutes')
  expect(row?.textContent).toContain('Fire drill only')
  await waitFor(() => expect(row?.textContent).toContain('Members of Security still pass'))
})

test('the form of a plan says that no other users may pass, and which ways out stay open', async () => {
  await open(`rules/lockdownPlans?open=${drill._id}`)
  const effect = /no other users may pass these doors, but request to exit and fire release still open them/
  expect(await screen.findByText(effect)).toBeTruthy()
  expect(screen.getAllByText('Users who may still pass').length).toBeGreaterThan(0)
})

test.each([
  ['doors', { cardGroups: drill.mayPass }, 'Select the doors where these cards start the lockdown.'],
  [
    'user groups',
    { cardDoors: [{ kind: 'Door' as const, id: gate._id }] },
    'Select the user groups whose cards start the lockdown at these doors.',
  ],
])('a plan that cards start is not saved without %s', async (_, cards, words) => {
  const { user, sent } = await open(`rules/lockdownPlans?open=${drill._id}`, { ...drill, ...cards })
  await user.type(await screen.findByLabelText(/^Note/), '.')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(words)).toBeTruthy()
  expect(sent('PATCH', `/api/lockdownPlans/${drill._id}`)).toEqual([])
})

test('the list shows whose cards start a plan, and the form warns about their everyday cards', async () => {
  await open(`rules/lockdownPlans?open=${drill._id}`, { ...drill, mayPass: [], cardGroups: drill.mayPass })
  await screen.findByText(/including the one that they use every day/)
  const row = screen.getByRole('row', { name: /Drill/, hidden: true })
  await waitFor(() => expect(row.textContent).toContain('Security'))
})
