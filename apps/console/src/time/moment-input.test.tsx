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
  await user.type(date(), '6/2/27')
  await waitFor(() => expect(value()).toBe('2027-02-06T00:00'))
  await user.clear(time())
  await user.type(time(), '1430')
  await waitFor(() => expect(value()).toBe('2027-02-06T14:30'))
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

test('§4 pickers: a time without a date means today', async () => {
  const { user, value } = open('', { today: '2027-02-06' })
  await user.type(time(), '1430')
  await user.tab()
  await waitFor(() => expect(value()).toBe('2027-02-06T14:30'))
  expect(date().value).toBe('06/02/2027')
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

test('§4 pickers: a time is picked from a list of half hours, by pointer or by keyboard', async () => {
  const { user, value } = open('2027-01-31T08:10')
  await user.click(time())
  await user.click(await screen.findByRole('option', { name: '17:30' }))
  await waitFor(() => expect(value()).toBe('2027-01-31T17:30'))
  await user.clear(time())
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}')
  await waitFor(() => expect(value()).toBe('2027-01-31T18:00'))
})

test('§4 pickers: text that is no time stays, is marked, and is no moment that a form could save', async () => {
  const { user, value } = open('2027-01-31T08:00')
  await user.clear(time())
  await user.type(time(), '25:00')
  await user.tab()
  expect([time().value, time().getAttribute('aria-invalid')]).toEqual(['25:00', 'true'])
  screen.getByText('This is not a time. Enter one such as 18:30.')
  expect(value()).toBe('2027-01-31T25:00')
  expect(momentOfLocal('2027-01-31T25:00')).toBe('2027-01-31T25:00')
  await user.clear(time())
  await user.type(time(), '7.45 pm')
  await waitFor(() => expect(value()).toBe('2027-01-31T19:45'))
})

test.each([
  ['31/11/2026', 'This is not a date. Enter one such as 20/11/2026.'],
  ['2027-01-31T25:00', 'This is not a time. Enter one such as 18:30.'],
])('§4 pickers: %s keeps the error of its part, instead of that of the form', (typed, message) => {
  open(typed, { error: 'Please check this value.' })
  screen.getByText(message)
  expect(screen.queryByText('Please check this value.')).toBeNull()
})

test('§4 pickers: an emptied time keeps the time that was entered', async () => {
  const { user, value } = open('2027-01-31T08:00')
  await user.clear(time())
  await user.tab()
  expect([time().value, value()]).toEqual(['08:00', '2027-01-31T08:00'])
})

type Options = { isEnd?: boolean; today?: string; error?: string }

function open(initial: string, options: Options = {}) {
  render(
    <MantineProvider env="test">
      <Form initial={initial} options={options} />
    </MantineProvider>,
  )
  return { user: userEvent.setup(), value: () => screen.getByTestId('value').textContent }
}

function Form({ initial, options }: { initial: string; options: Options }) {
  const [value, setValue] = useState(initial)
  return (
    <>
      <MomentInput label="Begins" {...options} value={value} onChange={setValue} />
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

function time() {
  return within(field()).getByRole<HTMLInputElement>('combobox', { name: 'Time' })
}
