import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const dock = itemOf(sites, { name: 'Dry dock', timeZone: 'UTC' })

test('§4 forms: the form of a site asks before changes are lost, and closes at once without any', async () => {
  const { user } = await openConsole(`sites/${dock._id}`, {
    answers: [
      ({ path }) => (path === '/api/events/aggregate' ? { rows: [] } : undefined),
      holding(sites, [dock]),
      holding(doors, []),
    ],
  })
  await user.click(await screen.findByRole('button', { name: 'Edit site' }))
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), ' 2')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Dry dock 2')
  await user.type(screen.getByRole('textbox', { name: 'Name' }), '{Backspace}{Backspace}')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
