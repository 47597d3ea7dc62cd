import { rulesOfRole } from '@portcullis/contract/abilities'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listsKey } from '../item/keys.ts'
import { forgetUnseen } from './forget-unseen.ts'

const rules = rulesOfRole('reportingUser')
const [siteLists, unitLists] = [listsKey(sites, 'main'), listsKey(units, 'main')]

test('§6 data read with other rights and not on the screen is removed, but not the current user', () => {
  const { queryClient } = screenOf([])
  queryClient.setQueryData(siteLists, ['a site'])
  queryClient.setQueryData(['me', 'main'], 'somebody')
  forgetUnseen(queryClient, { rules })
  expect(queryClient.getQueryData(siteLists)).toBeUndefined()
  expect(queryClient.getQueryData(['me', 'main'])).toBe('somebody')
})

test('§6 data on the screen that the user may no longer see disappears at once, before the server refuses it', () => {
  const { queryClient, ask } = screenOf([unitLists])
  forgetUnseen(queryClient, { rules })
  expect(queryClient.getQueryData(unitLists)).toBeUndefined()
  expect(ask).toHaveBeenCalledWith(unitLists)
})

test('§6 data on the screen that may still be seen stays, and is loaded again', () => {
  const { queryClient, ask } = screenOf([siteLists])
  forgetUnseen(queryClient, { rules })
  expect(queryClient.getQueryData(siteLists)).toEqual(['a row'])
  expect(ask).toHaveBeenCalledWith(siteLists)
})

/** Visible lists, already loaded; the server no longer answers. */
function screenOf(shown: readonly (readonly unknown[])[]) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  const ask = vi.fn<(queryKey: readonly unknown[]) => Promise<string[]>>(() => new Promise(() => {}))
  for (const queryKey of shown) {
    queryClient.setQueryData(queryKey, ['a row'])
    const observer = new QueryObserver(queryClient, { queryKey, queryFn: () => ask(queryKey) })
    onTestFinished(observer.subscribe(() => {}))
  }
  onTestFinished(() => queryClient.clear())
  return { queryClient, ask }
}
