import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { siteGroups } from '@portcullis/contract/collections/site-groups'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf, userWith } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const nomsa = itemOf(users, { name: 'Nomsa Dlamini' })
const thabo = itemOf(users, { name: 'Thabo Nkosi' })
const site = itemOf(sites, { name: 'Cold Store', timeZone: 'UTC' })
const bay = itemOf(doors, { name: 'Loading Bay 2', site: site._id })
const staff = itemOf(rules, { name: 'Warehouse staff', who: [], where: [], effect: 'allow' })

const shown = {
  _id: staff._id,
  name: 'Warehouse staff',
  effect: 'allow',
  direction: 'both',
  adhoc: null,
  schedule: null,
  who: { kind: 'User Group', _id: null, name: 'Warehouse' },
  where: { kind: 'Site', _id: site._id, name: 'Cold Store' },
  more: 2,
}
const above = { ...shown, _id: null, name: null, effect: 'deny', direction: 'exit', more: 0 }
const rows = {
  user: [
    { _id: nomsa._id, rules: [shown], moreRules: 3, openNow: 12 },
    { _id: thabo._id, rules: [], moreRules: 0, openNow: 0 },
  ],
  door: [{ _id: bay._id, rules: [shown, above], moreRules: 0, openNow: null }],
}

async function openView(address: string, as?: ReturnType<typeof userWith>) {
  const asked: string[] = []
  const others = [units, userGroups, doorGroups, siteGroups, schedules].map((of) => holding(of, []))
  const console_ = await openConsole(address, {
    ...(as ? { as } : {}),
    answers: [
      ({ path, query }) => {
        const kind = path === '/api/rules/byUser' ? 'user' : 'door'
        if (!/^\/api\/rules\/by(User|Door)$/.test(path)) return undefined
        asked.push(query.get(`${kind}s`) ?? '')
        return { at: new Date().toISOString(), items: rows[kind] }
      },
      holding(users, [nomsa, thabo]),
      holding(sites, [site]),
      holding(doors, [bay]),
      holding(rules, [staff]),
      ...others,
    ],
  })
  return { ...console_, asked }
}

const rowOf = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(name) }))

test('by user, each user has their rules, the group through which they have them, and the number of doors, in one request', async () => {
  const { asked } = await openView('rules/list?by=user')
  const row = await rowOf('Nomsa Dlamini')
  const about = await row.findByText('Cold Store and 2 more, at all times, through Warehouse')
  expect(about.closest('div')?.textContent).toContain('Warehouse staff')
  expect(row.getByText('and 3 more rules')).toBeTruthy()
  const number = row.getByRole('link', { name: '12 doors' })
  expect(number.getAttribute('href')).toContain(`rules/explorer?ask=user&user=${nomsa._id}&accessCan=now`)
  expect((await rowOf('Thabo Nkosi')).getByText('No rule names this user')).toBeTruthy()
  expect(asked.map((ids) => ids.split(',').toSorted())).toEqual([[nomsa._id, thabo._id].toSorted()])
})

test('by door, each door has the rules that apply there; one of an account above has no name', async () => {
  await openView('rules/list?by=door')
  const row = await rowOf('Loading Bay 2')
  expect(await row.findByText('Warehouse and 2 more, at all times, through Cold Store')).toBeTruthy()
  const denial = row.getByText('a rule of an account above').closest('div')
  expect(denial?.textContent).toMatch(/denies.*Out only/)
  expect(row.getByRole('link', { name: 'Too many to count' })).toBeTruthy()
})

test('access is added in the form of a rule that names the user or the door already', async () => {
  const { user } = await openView('rules/list?by=user')
  await user.click((await rowOf('Nomsa Dlamini')).getByRole('link', { name: 'Add access: Nomsa Dlamini' }))
  const form = within(await screen.findByRole('dialog', { name: 'Add rule' }))
  expect((await form.findAllByText('Nomsa Dlamini')).length).toBeGreaterThan(0)
})

test('a rule opens from its row, and can be disabled or deleted there', async () => {
  const { user } = await openView('rules/list?by=door')
  await user.click(await (await rowOf('Loading Bay 2')).findByRole('link', { name: 'Warehouse staff' }))
  const form = within(await screen.findByRole('dialog', { name: 'Warehouse staff' }))
  expect(form.getByRole('button', { name: /Disable/ })).toBeTruthy()
  expect(form.getByRole('button', { name: 'Delete' })).toBeTruthy()
})

test('the control changes the view, and the address keeps nothing of the list before', async () => {
  const { user } = await openView('rules/list?search=Ware')
  await user.click(await screen.findByRole('radio', { name: 'By door' }))
  expect(await (await rowOf('Loading Bay 2')).findByText('Warehouse staff')).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: 'By rule' }))
  expect(await screen.findByRole('checkbox', { name: 'Select Warehouse staff' })).toBeTruthy()
})

test('§6 users who may not view users see their rules only as a list of rules', async () => {
  await openView('rules/list?by=user', userWith([{ action: 'view', subject: 'Access Control' }]))
  expect(await screen.findByText('Warehouse staff')).toBeTruthy()
  expect(screen.queryByRole('radiogroup', { name: 'View' })).toBeNull()
})
