import { importHolidays, type ImportRow } from '@portcullis/contract/calls/import-holidays'
import type { ChangePreview } from '@portcullis/contract/change-preview'
import { holidays } from '@portcullis/contract/collections/holidays'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf, refusal } from '../routes/test-answers.ts'
import { type Answer, openConsole } from '../routes/test-app.tsx'

const heritage = itemOf(holidays, {
  name: 'Heritage Day',
  kind: 'public',
  dates: [{ from: '2026-09-24', until: '2026-09-24', recurring: true }],
  calendar: 'ZA',
})
const { name, kind, dates } = heritage
const noChanges = { added: [], removed: [], kindBefore: null }
const stored = { holiday: { name, kind, dates }, reason: null, ...noChanges, _id: null, entry: null }
const rows: ImportRow[] = [
  { name, state: 'new', ...stored },
  { name: 'Youth Day', state: 'unchanged', ...stored },
  { name: 'Meeting', state: 'rejected', holiday: null, reason: 'not_whole_days', ...noChanges, _id: null, entry: null },
]

test('a calendar file is imported after its dry run has shown what would change, and why events are rejected', async () => {
  const { user, sent } = await open(({ method }) => (method === 'POST' ? { rows } : undefined))
  const dialog = await select(user, 'BEGIN:VCALENDAR')
  const list = within(await dialog.findByRole('list', { name: 'Holidays' }))
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Heritage Day.*New.*24 Sep.*, every year · Public$/),
    expect.stringContaining('Unchanged'),
    expect.stringMatching(/^Meeting.*Rejected.*It does not last whole days\.$/),
  ])
  await user.type(dialog.getByRole('textbox', { name: 'Calendar' }), 'ZA')
  const button = dialog.getByRole('button', { name: 'Import 1 holiday' })
  await waitFor(() => expect(button).toHaveProperty('disabled', false))
  await user.click(button)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const bodies = sent('POST', importHolidays.path).map(({ body }) => body)
  const body = { file: 'BEGIN:VCALENDAR', kind: 'public', replaceDates: false }
  expect(bodies[0]).toEqual({ ...body, calendar: null, dryRun: true })
  expect(bodies.at(-1)).toEqual({ ...body, calendar: 'ZA' })
})

test('the dialog shows who loses access by the import, and one press undoes all of it', async () => {
  const entries = [crypto.randomUUID(), crypto.randomUUID(), null]
  const imported = rows.map((row, at) => ({ ...row, entry: entries[at] ?? null }))
  const none = { cardholders: 0, doors: 0, changes: [], moreChanges: 0 }
  const preview = {
    access: { gained: none, lost: { ...none, cardholders: 3, doors: 2 } },
    noRoom: [],
    hasHiddenUnits: false,
    notExamined: 0,
  }
  const undone: string[] = []
  const { user } = await open(({ method, path }) => {
    if (path.endsWith('/undo')) {
      undone.push(path)
      return { entry: crypto.randomUUID(), collection: 'holidays', action: 'delete', item: null, notRestored: [] }
    }
    return method === 'POST' ? { rows: imported } : undefined
  }, preview)
  const dialog = await select(user, 'BEGIN:VCALENDAR')
  await user.click(await dialog.findByRole('button', { name: 'Show who gains and loses access' }))
  expect(await dialog.findByText(/3 cardholders lose access at 2 doors/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Import 1 holiday' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(undone).toEqual([1, 0].map((at) => `/api/auditLogs/${entries[at]}/undo`)))
})

test('a changed holiday says what changes, and keeps its dates unless the user replaces them', async () => {
  const extra = { from: '2026-09-25', until: '2026-09-25', recurring: false }
  const changed = { ...stored, name, state: 'changed' as const, _id: heritage._id, added: [extra, ...dates] }
  const { user, sent } = await open(({ method, body }) => {
    if (method !== 'POST') return undefined
    const isReplaced = JSON.stringify(body).includes('"replaceDates":true')
    return { rows: [isReplaced ? { ...changed, removed: [extra], kindBefore: 'special' } : changed] }
  })
  const dialog = await select(user, 'BEGIN:VCALENDAR')
  const item = await dialog.findByRole('listitem')
  expect(item.textContent).toMatch(/Adds 2 dates: 25 Sept? 2026 and 1 more$/)
  await user.click(dialog.getByRole('checkbox', { name: 'Replace the dates of existing holidays' }))
  expect(await dialog.findByText(/Removes 1 date: 25 Sept? 2026 · Kind changes from Special to Public/)).toBeTruthy()
  const button = dialog.getByRole('button', { name: 'Import 1 holiday' })
  await waitFor(() => expect(button).toHaveProperty('disabled', false))
  await user.click(button)
  await waitFor(() =>
    expect(sent('POST', importHolidays.path).at(-1)?.body).toEqual({
      file: 'BEGIN:VCALENDAR',
      calendar: null,
      kind: 'public',
      replaceDates: true,
    }),
  )
})

test('a file that is no calendar is refused, and cannot be imported', async () => {
  const no = refusal({ code: 'bad_request', fieldErrors: { file: 'not_a_calendar' } })
  const { user } = await open(({ path }) => (path === importHolidays.path ? no.clone() : undefined))
  const dialog = await select(user, 'hello')
  expect(await dialog.findByText(/not an iCalendar file/)).toBeTruthy()
  expect(dialog.getByRole('button', { name: 'Import 0 holidays' })).toHaveProperty('disabled', true)
})

test('a calendar is exported from the list of those that holidays have', async () => {
  const { user, sent } = await open(({ path }) =>
    path === '/api/holidays/export/ics' ? new Response('BEGIN:VCALENDAR') : undefined,
  )
  await screen.findByText('Heritage Day')
  await user.click(screen.getByRole('button', { name: 'Export .ics' }))
  await user.click(await screen.findByRole('menuitem', { name: 'ZA' }))
  await waitFor(() =>
    expect(sent('POST', '/api/holidays/export/ics').map(({ body }) => body)).toEqual([{ calendar: 'ZA' }]),
  )
  expect(await screen.findByText('Holidays exported')).toBeTruthy()
})

function open(answer: Answer, preview?: ChangePreview) {
  return openConsole('rules/holidays', {
    answers: [answer, holding(holidays, [heritage])],
    ...(preview ? { preview } : {}),
  })
}

async function select(user: Awaited<ReturnType<typeof openConsole>>['user'], content: string) {
  await user.click(await screen.findByRole('button', { name: 'Import…' }))
  const dialog = await screen.findByRole('dialog', { name: 'Import holidays' })
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('There is no input for a file.')
  await user.upload(input, new File([content], 'holidays.ics', { type: 'text/calendar' }))
  return within(dialog)
}
