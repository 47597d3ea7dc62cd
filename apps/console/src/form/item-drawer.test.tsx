import { contacts } from '@portcullis/contract/collections/contacts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf, refusal } from '../routes/test-answers.ts'
import { type Answer, type AppRequest, openConsole } from '../routes/test-app.tsx'

/** The behaviour of every form in a drawer, shown on a contact. */
const guard = itemOf(contacts, { name: 'Night guard', phone: '111 111' })
const path = `/api/contacts/${guard._id}`

test('§4 forms: Save is disabled until something is changed, and sends only that, with the version', async () => {
  const { user, sent } = await edit([saved])
  expect(save()).toHaveProperty('disabled', true)
  await user.type(nameField(), ' 2')
  await press(user)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent('PATCH', path).map(({ body }) => body)).toEqual([{ name: 'Night guard 2', version: 1 }])
  expect(await screen.findByText('Night guard 2 was saved')).toBeTruthy()
})

test('§4 forms: a value changed back to the original is no change', async () => {
  const { user } = await edit([])
  await user.type(nameField(), '2')
  expect(save()).toHaveProperty('disabled', false)
  await user.type(nameField(), '{Backspace}')
  expect(save()).toHaveProperty('disabled', true)
})

test('§4 forms: an empty required field shows an error, and nothing is sent until it is filled in', async () => {
  const { user, sent } = await add([])
  await user.type(screen.getByRole('textbox', { name: 'Phone' }), '777 777')
  await press(user)
  expect(await screen.findByText('This is required.')).toBeTruthy()
  expect(nameField().getAttribute('aria-invalid')).toBe('true')
  expect(sent('POST', '/api/contacts')).toEqual([])
  await user.type(nameField(), 'Q')
  expect(screen.queryByText('This is required.')).toBeNull()
})

test('§4 forms: errors of a field are shown at the field, other errors at the bottom', async () => {
  let isField = true
  const refused = ({ method }: AppRequest) => {
    if (method !== 'POST') return undefined
    return isField
      ? refusal({ code: 'bad_request', fieldErrors: { name: 'control_characters' } })
      : refusal({ code: 'internal' })
  }
  const { user } = await add([refused])
  await user.type(nameField(), 'Day guard')
  await press(user)
  await waitFor(() => expect(nameField().getAttribute('aria-invalid')).toBe('true'))
  expect(footer()).toBe('')
  isField = false
  await press(user)
  await waitFor(() => expect(footer()).toBe('The server failed. If it happens again, contact your administrator.'))
  expect(nameField().getAttribute('aria-invalid')).not.toBe('true')
  expect(nameField().value).toBe('Day guard')
})

test('§4 forms: without a connection nothing is lost, the form shows an error, and Save tries again', async () => {
  let isOffline = true
  const { user } = await edit([
    ({ method }) => {
      if (method === 'PATCH' && isOffline) throw new TypeError('Failed to fetch')
      return undefined
    },
    saved,
  ])
  await user.type(nameField(), ' 2')
  await press(user)
  await waitFor(() => expect(footer()).toBe('The server could not be reached. Check your connection and try again.'))
  expect(nameField().value).toBe('Night guard 2')
  isOffline = false
  await press(user)
  expect(await screen.findByText('Night guard 2 was saved')).toBeTruthy()
})

test('§4 forms: Save, pressed twice, sends one request', async () => {
  const { user, sent } = await edit([saved])
  await user.type(nameField(), ' 2')
  // Faster than the button is redrawn.
  save().click()
  save().click()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent('PATCH', path)).toHaveLength(1)
})

test('§4 forms: a conflict in another field shows what the other user changed, and Save both keeps both', async () => {
  const { user, sent } = await edit([changedMeanwhile({ phone: '999 999' }), saved])
  await user.type(nameField(), ' 2')
  await press(user)
  const notice = await conflict()
  expect(cells(notice)).toEqual([['Phone', '111 111', '999 999', 'not changed']])
  await user.click(within(notice).getByRole('button', { name: 'Save both' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent('PATCH', path).at(-1)?.body).toEqual({ name: 'Night guard 2', version: 2 })
})

test('§4 forms: a conflict in the same field is marked, and the other value can be kept instead', async () => {
  const { user, sent } = await edit([changedMeanwhile({ name: 'Theirs' }), saved])
  await user.clear(nameField())
  await user.type(nameField(), 'Mine')
  await press(user)
  const notice = await conflict()
  expect(cells(notice)).toEqual([['Name', 'Night guard', 'Theirs', 'Mine']])
  expect(within(notice).getByRole('button', { name: 'Save my changes' })).toBeTruthy()
  await user.click(within(notice).getByRole('button', { name: 'Discard my changes' }))
  expect(nameField().value).toBe('Theirs')
  expect(save()).toHaveProperty('disabled', true)
  expect(sent('PATCH', path)).toHaveLength(1)
})

test('§4 forms: leaving with changes needs a confirmation: the drawer stays open, or closes and discards them', async () => {
  const { user } = await edit([])
  await user.type(nameField(), ' 2')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Leave without saving?' })).toBeNull())
  expect(nameField().value).toBe('Night guard 2')
  await waitFor(() => expect(document.activeElement?.closest('[role=dialog]')).toBeTruthy())
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'Discard changes' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sessionStorage.length).toBe(0)
})

test('§4 forms: without changes it closes at once', async () => {
  const { user } = await edit([])
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('§4 forms: unsaved changes survive a reload, can be restored, and are deleted when discarded', async () => {
  const first = await add([])
  await first.user.type(nameField(), 'Half a contact')
  first.unmount()
  const second = await add([])
  await second.user.click(await screen.findByRole('button', { name: 'Restore draft' }))
  expect(nameField().value).toBe('Half a contact')
  second.unmount()
  const third = await add([])
  expect(await screen.findByText(/You have unsaved changes from/)).toBeTruthy()
  await third.user.click(screen.getByRole('button', { name: 'Discard draft' }))
  expect(nameField().value).toBe('')
  third.unmount()
  await add([])
  expect(screen.queryByText(/You have unsaved changes from/)).toBeNull()
})

const saved: Answer = ({ method, body }) =>
  method === 'PATCH' ? { ...guard, ...Object(body), version: guard.version + 1 } : undefined

/** The first change is refused, because another user saved before. */
function changedMeanwhile(changes: { name?: string; phone?: string }): Answer {
  let isFirst = true
  return ({ method }) => {
    if (method !== 'PATCH' || !isFirst) return undefined
    isFirst = false
    return refusal({ code: 'conflict', item: { ...guard, ...changes, version: 2 } })
  }
}

const open = (what: string, answers: readonly Answer[]) =>
  openConsole(`contacts/list?open=${what}`, { answers: [...answers, holding(contacts, [guard])] })

async function add(answers: readonly Answer[]) {
  const opened = await open('new', answers)
  await screen.findByRole('dialog', { name: 'Add contact' })
  return opened
}

async function edit(answers: readonly Answer[]) {
  const opened = await open(guard._id, answers)
  await screen.findByRole('dialog', { name: 'Night guard' })
  return opened
}

/** Save is enabled again a moment after a failure is shown. */
async function press(user: Awaited<ReturnType<typeof open>>['user']) {
  await waitFor(() => expect(save()).toHaveProperty('disabled', false))
  await user.click(save())
}

function nameField() {
  return screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' })
}

function save() {
  return screen.getByRole('button', { name: 'Save' })
}

/** The errors of a form that concern no single field. */
function footer() {
  return within(screen.getByRole('dialog')).getAllByRole('alert').at(-1)?.textContent
}

async function conflict() {
  const words = await screen.findByText('Another user changed a field while you were editing')
  const notice = words.closest('[role=alert]')
  return notice instanceof HTMLElement ? notice : document.body
}

function cells(notice: HTMLElement) {
  const [, ...rows] = within(notice).getAllByRole('row')
  return rows.map((row) => [...row.children].map(({ textContent }) => textContent))
}
