import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { siteGroups } from '@portcullis/contract/collections/site-groups'
import { units } from '@portcullis/contract/collections/units'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const allow = itemOf(rules, { name: 'Day staff', who: [], where: [], effect: 'allow' })
const deny = itemOf(rules, { name: 'No contractors', who: [], where: [], effect: 'deny' })
const day = itemOf(schedules, { name: 'Day shift' })

async function dialogOf(action: string, ...names: readonly string[]) {
  const others = [units, doors, userGroups, doorGroups, siteGroups].map((of) => holding(of, []))
  const answers = [holding(rules, [allow, deny]), holding(schedules, [day]), ...others]
  const { user } = await openConsole('rules/list', { answers })
  for (const name of names) await user.click(await screen.findByRole('checkbox', { name: `Select ${name}` }))
  const bar = await screen.findByRole('region', { name: `${names.length} selected` })
  await user.click(within(bar).getByRole('button', { name: action }))
  return { user, dialog: within(await screen.findByRole('dialog')) }
}

test.each([
  [['Day staff'], 'Users lose access that no other rule gives them.'],
  [['No contractors'], 'Users gain access that only these rules deny.'],
  [
    ['Day staff', 'No contractors'],
    'Users lose access that no other rule gives them. Users gain access that only these rules deny.',
  ],
])('the dialog that disables %s says who gains and who loses', async (names, hint) => {
  const { dialog } = await dialogOf('Disable', ...names)
  expect(dialog.getByText(hint)).toBeTruthy()
})

test('the effects of a new schedule are offered once one is selected', async () => {
  const { user, dialog } = await dialogOf('Set schedule', 'Day staff')
  const show = () => dialog.queryByRole('button', { name: 'Show who gains and loses access' })
  expect(show()).toBeNull()
  await user.click(dialog.getByRole('combobox', { name: /Schedule/ }))
  await user.click(await screen.findByRole('option', { name: 'Day shift' }))
  expect(show()).not.toBeNull()
})
