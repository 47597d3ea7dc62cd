import { credentials } from '@portcullis/contract/collections/credentials'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, refusal } from '../routes/test-answers.ts'
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
