import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'

Object.defineProperty(navigator, 'languages', { value: ['en-US'] })
const { TimeInput } = await import('./time-input.tsx')

afterEach(cleanup)

test.each([
  ['08:00', '1430', '02:30 PM', '14:30'],
  ['08:00', '430', '04:30 AM', '04:30'],
  ['17:00', '430', '04:30 PM', '16:30'],
  ['23:59', '6', '06:00 PM', '18:00'],
  ['17:00', '4:30 am', '04:30 AM', '04:30'],
  ['08:00', '2:30p', '02:30 PM', '14:30'],
  ['08:00', '14.30', '02:30 PM', '14:30'],
  ['08:00', '14h30', '02:30 PM', '14:30'],
  ['17:00', '12', '12:00 PM', '12:00'],
])('§4 pickers: on a 12-hour clock, %s replaced by %j is shown as %s at once', async (before, typed, shown, value) => {
  const user = userEvent.setup()
  render(
    <MantineProvider env="test">
      <Form initial={before} />
    </MantineProvider>,
  )
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Time' })
  await user.clear(field)
  await user.type(field, typed)
  screen.getByText(shown, { selector: 'p' })
  expect([field.value, screen.getByTestId('value').textContent]).toEqual([typed, value])
  await user.tab()
  expect(field.value).toBe(shown)
})

function Form({ initial }: { initial: string }) {
  const [value, setValue] = useState(initial)
  return (
    <>
      <TimeInput aria-label="Time" value={value} onChange={setValue} />
      <output data-testid="value">{value}</output>
    </>
  )
}
