import { contacts } from '@portcullis/contract/collections/contacts'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding } from '../routes/test-answers.ts'
import { type Answer, openConsole } from '../routes/test-app.tsx'

const nothingFound: Answer = ({ query }) =>
  query.has('search')
    ? { items: [], page: { size: 5, totalElements: 0, totalPages: 0, pageNumber: 0 }, next: null }
    : undefined

test('§4 palette: letters typed right after Ctrl K, before it has loaded, are its first words and no shortcuts', async () => {
  const { user } = await openConsole('contacts/list', { answers: [nothingFound, holding(contacts, [])] })
  await screen.findByRole('button', { name: 'Add contact' })
  await user.keyboard('{Control>}k{/Control}nomsax{Backspace}')
  const field = await screen.findByRole('combobox', { name: 'Go to, find or run' })
  expect(field).toHaveProperty('value', 'nomsa')
  expect(document.activeElement).toBe(field)
  await user.keyboard(' dlamini')
  expect(field).toHaveProperty('value', 'nomsa dlamini')
  expect(screen.queryByRole('dialog', { name: 'Add contact' })).toBeNull()
})
