import { ApiError } from '@portcullis/client/api-error'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { queryClient } from './query-client.ts'
import { whenForbidden } from './refusals.ts'

const queryKey = ['list']

afterEach(() => queryClient.clear())

test('data that a user may no longer see leaves the cache, and the rights are loaded again', async () => {
  const onForbidden = vi.fn<() => void>()
  const end = whenForbidden(onForbidden)
  queryClient.setQueryData(queryKey, ['a row'])
  const observer = new QueryObserver(queryClient, { queryKey, queryFn: () => Promise.reject(refusal(403)) })
  const { data, isError } = await observer.refetch()
  expect({ data, isError }).toEqual({ data: undefined, isError: true })
  expect(queryClient.getQueryData(queryKey)).toBeUndefined()
  expect(onForbidden).toHaveBeenCalledOnce()
  end()
})

test('a server that fails for a moment does not empty the screen', async () => {
  queryClient.setQueryData(queryKey, ['a row'])
  const observer = new QueryObserver(queryClient, { queryKey, queryFn: () => Promise.reject(refusal(500)) })
  expect((await observer.refetch()).data).toEqual(['a row'])
})

test.each([400, 403, 404, 409, 422, 429])('a request answered with %i is not repeated', async (status) => {
  const queryFn = vi.fn<() => Promise<string[]>>(() => Promise.reject(refusal(status)))
  await new QueryObserver(queryClient, { queryKey, queryFn }).refetch()
  expect(queryFn).toHaveBeenCalledOnce()
})

function refusal(status: number) {
  return new ApiError({ status, code: 'unreadable', message: 'failed' })
}
