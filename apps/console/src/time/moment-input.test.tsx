import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { momentOfLocal } from './local-moment.ts'
import { MomentInput } from './moment-input.tsx'

afterEach(cleanup)

test('§4 pickers: a date and a time are typed in the order of the language', async () => {
  const { user, value } = open('')
  expect(within(field()).getByLabelText('Hours')).toHaveProperty('disabled', true)
  await user.type(date(), '6/2/27')
  await waitFor(() => expect(value()).toBe('2027-02-06T00:00'))
  await user.type(within(field()).getByLabelText('Hours'), '1830')
  await waitFor(() => expect(value()).toBe('2027-02-06T18:30'))
  expect(date().value).toBe('06/02/2027')
})

test('§4 pickers: arrows move the date by a day, Page Up and Page Down by a month, and stay within it', async () => {
  const { user, value } = open('2027-01-31T08:00')
  await user.click(date())
  await user.keyboard('{PageDown}')
  await waitFor(() => expect(value()).toBe('2027-02-28T08:00'))
  await user.keyboard('{ArrowUp}')
  await waitFor(() => expect(value()).toBe('2027-03-01T08:00'))
  await user.keyboard('{ArrowDown}{PageUp}')
  await waitFor(() => expect(value()).toBe('2027-01-28T08:00'))
  expect(date().value).toBe('28/01/2027')
})

test('§4 pickers: a date without a time begins at midnight, and ends with its last minute', async () => {
  const { user, value } = open('', { isEnd: true })
  await user.type(date(), '6/2/27')
  await waitFor(() => expect(value()).toBe('2027-02-06T23:59'))
})

test('§4 pickers: an emptied date empties the field', async () => {
  const { user, value } = open('2027-01-31T08:00')
  await user.clear(date())
  await waitFor(() => expect(value()).toBe(''))
})

test('§4 pickers: text that is no date stays, is marked, and is no moment that a form could save', async () => {
  const { user, value } = open('2027-01-31T08:00')
  await user.clear(date())
  await user.type(date(), '31/11/2026')
  await user.tab()
  expect(date().value).toBe('31/11/2026')
  expect(date().getAttribute('aria-invalid')).toBe('true')
  screen.getByText('This is not a date. Enter one such as 20/11/2026.')
  expect(value()).toBe('31/11/2026')
  expect(momentOfLocal('31/11/2026')).toBe('31/11/2026')
  await user.clear(date())
  await user.type(date(), '30/11/2026')
  await waitFor(() => expect(value()).toBe('2026-11-30T00:00'))
  expect(date().getAttribute('aria-invalid')).not.toBe('true')
})

function open(initial: string, { isEnd = false } = {}) {
  render(
    <MantineProvider>
      <Form initial={initial} isEnd={isEnd} />
    </MantineProvider>,
  )
  return { user: userEvent.setup(), value: () => screen.getByTestId('value').textContent }
}

function Form({ initial, isEnd }: { initial: string; isEnd: boolean }) {
  const [value, setValue] = useState(initial)
  return (
    <>
      <MomentInput label="Begins" isEnd={isEnd} value={value} onChange={setValue} />
      <output data-testid="value">{value}</output>
    </>
  )
}

function field() {
  return screen.getByRole('group', { name: 'Begins' })
}

function date() {
  return within(field()).getByRole<HTMLInputElement>('textbox', { name: 'Date' })
}
