import { holidays } from '@portcullis/contract/collections/holidays'
import { schedules } from '@portcullis/contract/collections/schedules'
import { sites } from '@portcullis/contract/collections/sites'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const made = itemOf(schedules, { name: 'Early' })

test('§4 pickers: the hours of a week are chosen by days and clock times, and sent as they are read', async () => {
  const { user, sent } = await openNew()
  const [first] = hours()
  expect(first?.getAttribute('aria-label')).toBe('Mon to Fri 08:00 to 17:00')
  await user.click(day(first, 'Mon'))
  await user.click(day(first, 'Sat'))
  await type(first, 'From', '730')
  await type(first, 'Until', '0:00')
  expect(hours()[0]?.textContent).toContain('07:30')
  await user.click(screen.getByRole('button', { name: 'Add hours' }))
  expect(hours().map((window) => window.getAttribute('aria-label'))[1]).toMatch(/^Mon.+Sun/)
  await user.click(within(hours()[1] ?? document.body).getByRole('button', { name: 'Remove these hours' }))
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Early')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  const body = () => sent('POST', '/api/schedules').at(-1)?.body
  await waitFor(() =>
    expect(body()).toMatchObject({ windows: [{ days: [2, 3, 4, 5, 6], start: '07:30', end: '24:00' }] }),
  )

  async function type(window: HTMLElement | undefined, name: string, words: string) {
    const input = within(window ?? document.body).getByRole('combobox', { name })
    await user.clear(input)
    await user.type(input, words)
    await user.tab()
  }
})

test('§4 pickers: text that is not a time stays, is marked, and the error shows an example', async () => {
  const { user } = await openNew()
  const from = () => within(hours()[0] ?? document.body).getByRole<HTMLInputElement>('combobox', { name: 'From' })
  await user.clear(from())
  await user.type(from(), '25:00')
  await user.tab()
  expect([from().value, from().getAttribute('aria-invalid')]).toEqual(['25:00', 'true'])
  screen.getByText('This is not a time. Enter one such as 18:30.')
  expect(hours()[0]?.textContent).not.toMatch(/Mon to Fri/)
  await user.clear(from())
  await user.type(from(), '1430')
  await user.tab()
  expect([from().value, from().getAttribute('aria-invalid')]).toEqual(['14:30', null])
})

test('§4 pickers: hours without a day say that one must be selected', async () => {
  const { user } = await openNew()
  for (const name of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']) await user.click(day(hours()[0], name))
  expect(within(hours()[0] ?? document.body).getByText('Select at least one day.')).toBeTruthy()
  for (const button of screen.queryAllByRole('button', { name: 'Remove these hours' })) await user.click(button)
  expect(screen.getByText('No hours yet: a rule with this schedule grants no access.')).toBeTruthy()
})

async function openNew() {
  const opened = await openConsole('rules/schedules?open=new', {
    answers: [
      ({ method }) => (method === 'POST' ? made : undefined),
      ({ path }) => (path === '/api/holidays/above' ? { holidays: [] } : undefined),
      holding(schedules, [made]),
      holding(sites, []),
      holding(holidays, []),
    ],
  })
  await screen.findByRole('dialog', { name: 'Add schedule' })
  return opened
}

/** The windows of the week, each a group named in words. */
function hours() {
  return screen.getAllByRole('button', { name: 'Remove these hours' }).flatMap((button) => {
    const window = button.closest('fieldset')
    return window ? [window] : []
  })
}

function day(window: HTMLElement | undefined, name: string) {
  return within(window ?? document.body).getByRole('button', { name })
}
