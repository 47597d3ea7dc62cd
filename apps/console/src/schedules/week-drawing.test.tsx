import { doors } from '@portcullis/contract/collections/doors'
import { holidays } from '@portcullis/contract/collections/holidays'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { sites } from '@portcullis/contract/collections/sites'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const week = [
  { days: [1], start: '08:00', end: '12:00' },
  { days: [1], start: '22:00', end: '06:00' },
]
const shifts = itemOf(schedules, { name: 'Shifts', windows: week })

test('§4 schedules: the week is drawn with the keyboard alone, and each place and stroke is named', async () => {
  const { user, saved } = await open()
  const drawing = screen.getByRole('application', { name: /^Week/ })
  drawing.focus()
  await user.keyboard('{ArrowDown}')
  expect(now()).toBe('Mon 08:00 to 08:15: open')
  await user.keyboard('{ArrowDown} {ArrowDown}{Shift>}{ArrowRight}{/Shift}')
  expect(now()).toBe('Opening Tue and Wed 08:00 to 09:15')
  await user.keyboard(' ')
  expect(now()).toBe('Wed 09:00 to 09:15: open')
  await user.keyboard('{Home} {End}{Escape}')
  expect(now()).toBe('Wed 23:45 to 24:00: closed')
  expect(await saved()).toEqual([...week, { days: [2, 3], start: '08:00', end: '09:15' }])
})

test('§4 schedules: the keyboard closes hours from an open one', async () => {
  const { user, saved } = await open()
  screen.getByRole('application', { name: /^Week/ }).focus()
  await user.keyboard('{ArrowDown} {ArrowRight}{ArrowRight}{ArrowRight} ')
  expect(await saved()).toEqual([
    { days: [1], start: '09:00', end: '12:00' },
    { days: [1], start: '22:00', end: '06:00' },
  ])
})

test('§4 schedules: the hours of a day are copied to other days', async () => {
  const { user, saved } = await open()
  await user.click(screen.getByRole('button', { name: 'Copy hours…' }))
  const copying = within(screen.getByRole('group', { name: 'Copy hours…' }))
  expect(copying.getByRole<HTMLButtonElement>('button', { name: 'Mon' }).disabled).toBe(true)
  await user.click(copying.getByRole('button', { name: 'Thu' }))
  await user.click(copying.getByRole('button', { name: 'Copy' }))
  expect(screen.queryByRole('group', { name: 'Copy hours…' })).toBeNull()
  expect(await saved()).toEqual(week.map((window) => ({ ...window, days: [1, 4] })))
})

async function open() {
  const { user, sent } = await openConsole(`rules/schedules?open=${shifts._id}`, {
    answers: [
      ({ method }) => (method === 'PATCH' ? shifts : undefined),
      ({ path }) => (path === '/api/holidays/above' ? { holidays: [] } : undefined),
      holding(schedules, [shifts]),
      holding(rules, []),
      holding(doors, []),
      holding(sites, []),
      holding(holidays, []),
    ],
  })
  await screen.findByRole('dialog', { name: 'Shifts' })
  return { user, saved }

  /** The windows that Save sends. */
  async function saved() {
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const bodies = () => sent('PATCH', `/api/schedules/${shifts._id}`).map(({ body }) => body)
    await waitFor(() => expect(bodies()).toHaveLength(1))
    const [body] = bodies()
    return body !== null && typeof body === 'object' && 'windows' in body ? body.windows : undefined
  }
}

/** The words below the drawing. */
function now() {
  const drawing = screen.getByRole('application', { name: /^Week/ })
  return drawing.parentElement?.querySelector('[role=status]')?.textContent
}
