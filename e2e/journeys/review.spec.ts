import { expect, test } from '@playwright/test'
import { credentials } from '@portcullis/contract/collections/credentials'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { openWithControllers, type ProductWithControllers } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'
import { makeSmallSite } from '../small-site.ts'
import { violationsOf } from '../sound.ts'

let product: ProductWithControllers

test.beforeAll(async () => {
  product = await openWithControllers()
})
test.afterAll(() => product.stop())

test('§7 rules: the review finds a contained rule, a denied one, one without hours and a user with no access, and each is fixed', async ({
  page,
}) => {
  const { client, url } = product
  const { rule, person, door } = await makeSmallSite({ client, control: product.controllers.control, serial: 'R-1' })
  const group = await client.of(userGroups).create({ name: 'Night shift', members: [person._id] })
  const who = [{ kind: 'User Group' as const, id: group._id }]
  const where = [{ kind: 'Door' as const, id: door._id }]
  const allow = { effect: 'allow' as const, who, where }
  const blank = await client.of(schedules).create({ name: 'Blank', windows: [] })
  const night = await client.of(schedules).create({
    name: 'Night',
    windows: [{ days: [1, 2, 3, 4, 5, 6, 7], start: '22:00', end: '05:00' }],
  })
  await client.of(rules).create({ ...allow, name: 'No hours', schedule: blank._id })
  await client.of(rules).create({ ...allow, name: 'Repeats', direction: 'entry' })
  await client.of(rules).create({ ...allow, name: 'No nights', effect: 'deny', schedule: night._id })
  const stranger = await client.of(users).create({ name: 'Thabo Nkosi' })
  await client.of(credentials).create({ kind: 'card', number: '0412-77', user: stranger._id })

  await enterConsole(page, { url, path: '/main/rules/review' })
  const finding = (kind: string, name: string) =>
    page.getByRole('region', { name: kind }).getByRole('listitem').filter({ hasText: name })
  await expect(finding('Overlaps', 'Repeats')).toContainText(`covered by ${rule.name}`)
  await expect(finding('Contradictions', rule.name)).toContainText('No nights denies part of it, to 1 cardholder')
  const blankLink = finding('Rules that never apply', 'No hours').getByRole('link', { name: 'Open schedule' })
  await expect(blankLink).toHaveAttribute('href', new RegExp(`rules/schedules\\?open=${blank._id}`))
  expect(await violationsOf(page)).toEqual([])

  await finding('Overlaps', 'Repeats').getByRole('link', { name: 'Repeats' }).click()
  await expect(page.getByRole('dialog', { name: 'Repeats' })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click()

  await finding('Overlaps', 'Repeats').getByRole('button', { name: 'Delete' }).click()
  const deletion = page.getByRole('dialog')
  await deletion.getByRole('button', { name: 'Show who gains and loses access' }).click()
  await expect(deletion.getByRole('status', { name: 'Effects of this change' })).toContainText(/No/)
  await deletion.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('region', { name: 'Overlaps' })).toBeHidden()

  await finding('Contradictions', rule.name)
    .getByRole('button', { name: /Disable .*No nights/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Contradictions' })).toBeHidden()

  const withoutAccess = page.getByRole('region', { name: 'Users with no access' })
  await expect(withoutAccess.getByRole('link', { name: 'Explore what Thabo Nkosi can open' })).toBeVisible()
  await withoutAccess.getByRole('link', { name: 'Give access to Thabo Nkosi' }).click()
  await expect(page.getByRole('dialog')).toContainText('Thabo Nkosi')
})
