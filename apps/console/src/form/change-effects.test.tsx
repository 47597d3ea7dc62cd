import type { AccessSide, ChangePreview } from '@portcullis/contract/change-preview'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf } from '../routes/test-answers.ts'
import { type Answer, openConsole } from '../routes/test-app.tsx'

const group = itemOf(userGroups, { name: 'Night shift' })
const account = '0198c0de-0000-7000-8000-0000000000aa'
const door = { _id: '0198c0de-0000-7000-8000-0000000000d1', name: 'Vault' }
const none: AccessSide = { cardholders: 0, doors: 0, changes: [], moreChanges: 0 }

function change({ names, times }: { names: string[]; times: AccessSide['changes'][number]['times'] }): AccessSide {
  const items = names.map((name, at) => ({ _id: `0198c0de-0000-7000-8000-0000000000e${at}`, name, account }))
  const cardholders = { total: names.length + 1, items }
  return {
    cardholders: names.length + 1,
    doors: 1,
    changes: [{ doors: [door], direction: 'entry', timeZone: 'Africa/Johannesburg', cardholders, times, moreTimes: 0 }],
    moreChanges: 2,
  }
}

test('a changed form shows on request who gains and who loses which hours, until it is changed again', async () => {
  const gained = change({ names: ['Ann'], times: [{ from: '2026-01-01T00:00:00.000Z', until: null }] })
  const lost = change({
    names: ['Ben'],
    times: [{ from: '2026-12-04T06:00:00.000Z', until: '2026-12-04T15:00:00.000Z' }],
  })
  const { user } = await edit({ access: { gained, lost }, noRoom: [], hasHiddenUnits: false, notExamined: 0 })
  expect(show()).toBeNull()
  await user.type(nameField(), ' 2')
  const button = show()
  expect(button).toBeTruthy()
  if (button) await user.click(button)
  await screen.findByText('2 cardholders gain access at 1 door')
  const words = screen
    .getByRole('status', { name: 'Effects of this change' })
    .textContent?.replaceAll(/[\u2068\u2069]/g, '')
    .replaceAll(/\s/g, ' ')
  expect(words).toMatch(
    /^2 cardholders lose access at 1 door2 cardholders gain access at 1 doorLosing access.*Gaining access/,
  )
  expect(words).toContain('Vault (In only)Ann and 1 moreAt all times')
  expect(words).toMatch(/Ben and 1 moreFri,? 4 Dec,? 08:00.17:00 · Johannesburg/)
  expect(words).toContain('and 2 more')
  await user.type(nameField(), '3')
  expect(screen.getByRole('status', { name: 'Effects of this change' }).textContent).toBe('')
  expect(show()).toHaveProperty('disabled', false)
})

test('a form says that its changes give and take no access', async () => {
  const { user } = await edit({
    access: { gained: none, lost: none },
    noRoom: [],
    hasHiddenUnits: false,
    notExamined: 0,
  })
  await ask(user)
  expect(await screen.findByText('No one gains or loses access in the next eight weeks.')).toBeTruthy()
  expect(screen.queryByText(/^Other cardholders/)).toBeNull()
})

test('a form says if too many cardholders and doors are concerned', async () => {
  const { user } = await edit({ access: null, noRoom: [], hasHiddenUnits: false, notExamined: 0 })
  await ask(user)
  expect(await screen.findByText(/^Too many cardholders and doors/)).toBeTruthy()
})

test('a form says that it does not count other users whose credentials no longer fit', async () => {
  const noRoom = [
    {
      _id: '0198c0de-0000-7000-8000-0000000000f1',
      name: 'Gatehouse',
      capacity: { doors: 1, credentials: 1, schedules: 1 },
      needs: { doors: 1, credentials: 2, schedules: 1 },
      cardholders: { total: 1, items: [] },
      incomplete: [],
      doors: [],
      schedules: [],
    },
  ]
  const { user } = await edit({ access: { gained: none, lost: none }, noRoom, hasHiddenUnits: false, notExamined: 0 })
  await ask(user)
  expect(await screen.findByText(/^Other cardholders may lose access too/)).toBeTruthy()
})

test('the button keeps the focus while the answer is awaited', async () => {
  const asked = Promise.withResolvers<ChangePreview>()
  const { user } = await edit(() => asked.promise)
  await ask(user)
  await waitFor(() => expect(show()?.getAttribute('aria-disabled')).toBe('true'))
  expect(show()).toHaveProperty('disabled', false)
  expect(document.activeElement).toBe(show())
  asked.resolve({ access: { gained: none, lost: none }, noRoom: [], hasHiddenUnits: false, notExamined: 0 })
  expect(await screen.findByText('No one gains or loses access in the next eight weeks.')).toBeTruthy()
})

async function ask(user: Awaited<ReturnType<typeof edit>>['user']) {
  await user.type(nameField(), ' 2')
  await waitFor(() => expect(show()).toBeTruthy())
  const button = show()
  if (button) await user.click(button)
}

async function edit(preview: ChangePreview | Answer) {
  const answers = [holding(userGroups, [group]), holding(users, [])]
  const opened = await openConsole(`users/groups?open=${group._id}`, { answers, preview })
  await screen.findByRole('dialog', { name: 'Night shift' })
  return opened
}

function nameField() {
  return screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' })
}

function show() {
  return screen.queryByRole('button', { name: 'Show who gains and loses access' })
}
