import { sites } from '@portcullis/contract/collections/sites'
import { doors } from '@portcullis/contract/collections/doors'
import { units } from '@portcullis/contract/collections/units'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding, itemOf, refusal } from '../routes/test-answers.ts'
import { type Answer, openConsole } from '../routes/test-app.tsx'

/** The picker of another item, tested on the site of a controller. */
const [north, south] = ['North quay', 'South quay'].map((name) => itemOf(sites, { name, timeZone: 'UTC' }))
const unit = itemOf(units, { name: 'Gate controller', serial: 'PC-1', site: north?._id ?? null })

test('§4 pickers: a selected item is shown by its name, and can be cleared if it is optional', async () => {
  const { user, sent } = await openUnit([saved, holding(sites, northAndSouth)])
  const picker = await screen.findByRole('combobox', { name: 'Site' })
  await waitFor(() => expect(picker).toHaveProperty('value', 'North quay'))
  const field = picker.closest('.mantine-Select-root')
  await user.click(field?.querySelector('button') ?? document.body)
  expect(picker).toHaveProperty('value', '')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  const body = () => sent('PATCH', `/api/units/${unit._id}`).at(-1)?.body
  await waitFor(() => expect(body()).toEqual({ site: null, version: 1 }))
})

test('§4 pickers: it offers what the server finds for the typed words, or shows that nothing was found', async () => {
  const found: Answer = ({ path, query, ...request }) => {
    const search = query.get('search')
    if (path !== '/api/sites' || search === null) return undefined
    const named = northAndSouth.filter(({ name }) => name.toLowerCase().includes(search))
    return holding(sites, named)({ ...request, path, query })
  }
  const { user } = await openUnit([found, saved, holding(sites, northAndSouth)])
  const picker = await screen.findByRole('combobox', { name: 'Site' })
  await waitFor(() => expect(picker).toHaveProperty('value', 'North quay'))
  await user.clear(picker)
  await user.type(picker, 'south')
  await waitFor(() => expect(offered()).toEqual(['South quay', 'North quay']))
  await user.type(picker, ' pole')
  await waitFor(() => expect(offered()).toEqual(['North quay']))
  await user.clear(picker)
  await user.type(picker, 'south')
  await user.click(await screen.findByRole('option', { name: 'South quay' }))
  expect(picker).toHaveProperty('value', 'South quay')
})

test('§4 pickers: if nothing can be loaded, it shows an error instead of an empty list', async () => {
  const down: Answer = ({ path }) => (path === '/api/sites' ? refusal({ code: 'internal' }) : undefined)
  const { user } = await openConsole('units/list?open=new', { answers: [down, holding(units, [unit])] })
  const dialog = await screen.findByRole('dialog', { name: 'Add controller' })
  await user.click(within(dialog).getByRole('combobox', { name: 'Site' }))
  expect(await within(document.body).findByText('This could not be loaded')).toBeTruthy()
})

test('§4 pickers: an item that no longer exists is shown as such, not by its id', async () => {
  await openUnit([holding(sites, northAndSouth.slice(1))])
  const picker = await screen.findByRole('combobox', { name: 'Site' })
  await waitFor(() => expect(picker).toHaveProperty('value', 'deleted'))
})

const northAndSouth = [north, south].filter((site) => site !== undefined)

const saved: Answer = ({ method, body }) =>
  method === 'PATCH' ? { ...unit, ...Object(body), version: unit.version + 1 } : undefined

function openUnit(answers: readonly Answer[]) {
  return openConsole(`units/list?open=${unit._id}`, {
    answers: [...answers, holding(units, [unit]), holding(doors, [])],
  })
}

function offered() {
  return screen.queryAllByRole('option').map(({ textContent }) => textContent)
}
