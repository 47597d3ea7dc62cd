import { cardFormats } from '@portcullis/contract/collections/card-formats'
import { credentials } from '@portcullis/contract/collections/credentials'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { holding, itemOf, refusal } from '../routes/test-answers.ts'
import { type Answer, openConsole } from '../routes/test-app.tsx'

const nomsa = itemOf(users, { name: 'Nomsa Dlamini', role: 'appUser' })
const thabo = itemOf(users, { name: 'Thabo Nkosi', role: 'appUser' })
const canteen = itemOf(cardFormats, { name: 'Works canteen', layout: 'PFFFCCCCCCCC\nEXXXXXXXXXXX' })

test('a card of a format is entered as it is printed, and shows the number as read at once', async () => {
  const { user, dialog, sent } = await openForm()
  await choose({ user, dialog }, 'Wiegand 26 bits')
  await user.type(dialog.getByLabelText(/Facility code/), '256')
  await user.type(dialog.getByLabelText(/Number on the card/), '1603')
  expect(await dialog.findByText('At most 255.')).toBeTruthy()
  await user.clear(dialog.getByLabelText(/Facility code/))
  await user.type(dialog.getByLabelText(/Facility code/), '118')
  expect(await dialog.findByText('Number as read: 2EC0C86')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  expect(sent('POST', '/api/credentials').map(({ body }) => body)).toMatchObject([
    { kind: 'card', format: 'wiegand26', facility: 118, printed: '1603', number: '2EC0C86', user: nomsa._id },
  ])
})

test('a format of the account is offered, and what a read number says is filled in', async () => {
  const { user, dialog } = await openForm()
  await user.type(dialog.getByLabelText(/^Number/), 'DC8')
  await choose({ user, dialog }, 'Works canteen')
  expect(dialog.getByLabelText(/Facility code/)).toHaveProperty('value', '5')
  expect(dialog.getByLabelText(/Number on the card/)).toHaveProperty('value', '200')
})

test('a number that a user has leads to that user', async () => {
  const holder = { collection: 'users', _id: thabo._id, name: thabo.name }
  const { user, dialog } = await openForm(({ method, path }) =>
    method === 'POST' && path === '/api/credentials'
      ? refusal({ code: 'taken', fieldErrors: { number: 'taken' }, holder })
      : undefined,
  )
  await user.type(dialog.getByLabelText(/^Number/), '4711')
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  const link = await dialog.findByRole('link', { name: 'Open Thabo Nkosi' })
  expect(link.getAttribute('href')).toBe(`/main/users/list?open=${thabo._id}`)
  await user.type(dialog.getByLabelText(/^Number/), '2')
  expect(dialog.queryByRole('link', { name: 'Open Thabo Nkosi' })).toBeNull()
})

test('an unassigned card that has the number already is given to the user', async () => {
  const stock = itemOf(credentials, { name: '', kind: 'card', number: '4711' })
  const holder = { collection: 'credentials', _id: stock._id, name: '4711' }
  const { user, dialog, sent } = await openForm(({ method, path, body }) => {
    if (method === 'POST' && path === '/api/credentials')
      return refusal({ code: 'taken', fieldErrors: { number: 'taken' }, holder })
    return method === 'PATCH' && path === `/api/credentials/${stock._id}`
      ? { ...stock, ...z.object({}).loose().parse(body) }
      : undefined
  })
  await user.type(dialog.getByLabelText(/^Number/), '4711')
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  expect(await dialog.findByText(/4711 is unassigned so far/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  await waitFor(() => expect(sent('PATCH', `/api/credentials/${stock._id}`)).toHaveLength(1))
  expect(sent('PATCH', `/api/credentials/${stock._id}`)[0]?.body).toMatchObject({ user: nomsa._id })
})

test('an iButton with a wrong check is refused before it is sent', async () => {
  const { user, dialog, sent } = await openForm()
  await user.click(dialog.getByLabelText(/^Kind/))
  await user.click(await screen.findByRole('option', { name: 'iButton' }))
  await user.type(dialog.getByLabelText(/^Number/), 'A2 00 00 00 01 B8 1C 03')
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  expect(await dialog.findByText(/This is not the number of an iButton/)).toBeTruthy()
  expect(sent('POST', '/api/credentials')).toEqual([])
})

type Form = Pick<Awaited<ReturnType<typeof openForm>>, 'user' | 'dialog'>

async function choose({ user, dialog }: Form, format: string) {
  await user.click(dialog.getByLabelText(/^Card format/))
  await user.click(await screen.findByRole('option', { name: format }))
}

async function openForm(answer: Answer = () => undefined) {
  const opened = await openConsole(`users/list?open=${nomsa._id}`, {
    answers: [
      answer,
      ({ method, path, body }) =>
        method === 'POST' && path === '/api/credentials'
          ? itemOf(credentials, { name: '', ...z.object({}).loose().parse(body) })
          : undefined,
      holding(cardFormats, [canteen]),
      holding(users, [nomsa]),
      holding(credentials, []),
      holding(userGroups, []),
    ],
  })
  await opened.user.click(await screen.findByRole('button', { name: 'Add credential' }))
  return { ...opened, dialog: within(await screen.findByRole('dialog', { name: 'Add credential' })) }
}
