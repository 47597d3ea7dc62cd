import { credentials } from '@portcullis/contract/collections/credentials'
import { users } from '@portcullis/contract/collections/users'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf, refusal } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

test.each(['format', 'facility', 'to'])('a range of cards shows the error of its field %s there', async (field) => {
  const { user } = await openConsole('users/cards', {
    answers: [
      ({ path }) =>
        path === '/api/credentials/batch'
          ? refusal({ code: 'bad_request', fieldErrors: { [field]: 'not_whole_number' } })
          : undefined,
      holding(credentials, []),
    ],
  })
  const [add] = await screen.findAllByRole('button', { name: 'Add a range of cards' })
  if (add) await user.click(add)
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a range of cards' }))
  await user.type(dialog.getByLabelText(/First number/), '1')
  await user.type(dialog.getByLabelText(/Last number/), '2')
  await user.click(dialog.getByRole('button', { name: 'Create cards' }))
  expect(await dialog.findAllByText('Enter a whole number.')).toHaveLength(1)
  expect(dialog.getByRole('alert').textContent).toBe('')
})

test('an unassigned card is given to a user from its row', async () => {
  const card = itemOf(credentials, { name: '', kind: 'card', number: '4712', user: null })
  const nomsa = itemOf(users, { name: 'Nomsa Dlamini' })
  const { user, sent } = await openConsole('users/cards', {
    answers: [
      ({ method, path }) =>
        method === 'PATCH' && path === `/api/credentials/${card._id}` ? { ...card, user: nomsa._id } : undefined,
      holding(credentials, [card]),
      holding(users, [nomsa]),
    ],
  })
  const [row] = await screen.findAllByText('4712')
  if (row) await user.click(row)
  const dialog = within(await screen.findByRole('dialog', { name: 'Assign card 4712' }))
  await user.click(dialog.getByLabelText(/User/))
  await user.click(await screen.findByRole('option', { name: nomsa.name }))
  await user.click(dialog.getByRole('button', { name: 'Assign' }))
  await waitFor(() => expect(sent('PATCH', `/api/credentials/${card._id}`)).toHaveLength(1))
  expect(sent('PATCH', `/api/credentials/${card._id}`)[0]?.body).toMatchObject({ user: nomsa._id })
})
