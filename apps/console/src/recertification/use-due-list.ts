import { dueChoices, type Recertifyable, type RecertifyableQuery } from '@portcullis/contract/calls/recertification'
import { users } from '@portcullis/contract/collections/users'
import { pageSize } from '@portcullis/contract/list-query'
import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { maxSelected } from '../list/bulk/selection.ts'
import { useLive } from '../item/use-live.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { soonDays } from './due-in-words.ts'

/** Deadlines pass by themselves, so the list reloads. */
const againMs = 60_000

/** A page of users who are due, and how many there are of each kind; loaded again when a user was changed, and every minute. */
export function useDueList(query: RecertifyableQuery) {
  const refresh = useRefreshDue()
  useLive(users, { newcomers: 'stay', onSaved: refresh, onRemove: refresh })
  const { ref } = useAccount()
  const shared = { placeholderData: keepPreviousData, refetchInterval: againMs }
  const list = useQuery({
    queryKey: ['recertification', ref, 'list', query],
    queryFn: ({ signal }) => client.recertification.list(query, { signal }),
    ...shared,
  })
  const counts = useQueries({
    queries: dueChoices.map((due) => ({
      queryKey: ['recertification', ref, 'count', due],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        client.recertification.count({ due, days: soonDays }, { signal }),
      ...shared,
    })),
  })
  const [overdue, soon, all] = counts.map(({ data }) => data?.count)
  return { list, counts: { overdue, soon, all } }
}

/** Reloads every query about users who are due. */
export function useRefreshDue() {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  return () => {
    void queryClient.invalidateQueries({ queryKey: ['recertification', ref] }, { cancelRefetch: false })
  }
}

/** The users on all pages, up to the maximum of a selection. */
export async function loadAllDue(query: RecertifyableQuery): Promise<Recertifyable[]> {
  const found: Recertifyable[] = []
  for (let page = 0; found.length < maxSelected; page += 1) {
    const { items, page: info } = await client.recertification.list({ ...query, page, size: pageSize.most })
    found.push(...items)
    if (page + 1 >= info.totalPages) break
  }
  return found.slice(0, maxSelected)
}
