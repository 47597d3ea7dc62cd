import { contacts } from '@portcullis/contract/collections/contacts'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { holding, hyperUser, refusal } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

const path = '/api/accounts/main/image'
const withPicture = { ...hyperUser, account: hyperUser.account && { ...hyperUser.account, image: 'first' } }

test('§7 the account image is requested as a blob with X-JS-ACCOUNT, and its URL is revoked afterwards', async () => {
  const [created, revoked] = [vi.spyOn(URL, 'createObjectURL'), vi.spyOn(URL, 'revokeObjectURL')]
  const { sent, unmount } = await openConsole('contacts/list', {
    as: withPicture,
    answers: [
      holding(contacts, []),
      (request) => (request.path === path ? new Response(new Blob(['picture'])) : undefined),
    ],
  })
  const image = await screen.findByRole('img', { name: 'Main account' })
  expect(image.getAttribute('src')).toMatch(/^blob:/)
  expect(sent('GET', path).map(({ headers }) => headers.get('x-js-account'))).toEqual(['main'])
  unmount()
  const urls = created.mock.results.map(({ value }) => String(value))
  expect(urls.filter((url) => !revoked.mock.calls.some(([each]) => each === url))).toEqual([])
})

test('§2 sidebar: the brand logo replaces an account image that cannot be loaded', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { sent } = await openConsole('contacts/list', {
    as: withPicture,
    answers: [holding(contacts, []), (request) => (request.path === path ? refusal({ code: 'not_found' }) : undefined)],
  })
  expect(await screen.findByRole('img', { name: 'Portcullis' })).toBeTruthy()
  await waitFor(() => expect(sent('GET', path)).toHaveLength(1))
  logged.mockRestore()
})
