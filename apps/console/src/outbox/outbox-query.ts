import { queryOptions } from '@tanstack/react-query'
import { client } from '../session/client.ts'

/** How often it is asked what became of mails that wait. */
const everyMs = 5_000

export const outboxQuery = queryOptions({
  queryKey: ['outbox'],
  queryFn: () => client.outbox(),
  refetchOnWindowFocus: 'always',
  refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'waiting') ? everyMs : false),
})
