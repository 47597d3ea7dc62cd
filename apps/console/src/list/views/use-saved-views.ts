import type { Collection } from '@portcullis/contract/collection'
import type { SavedView, savedViews } from '@portcullis/contract/calls/saved-views'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { client } from '../../session/client.ts'
import { useAccount, useCan } from '../../session/session-context.tsx'

type SavedViews = z.output<typeof savedViews.output>

const staleAfterMs = 300_000

/** The views of a list that the user saved or that are shared, and the columns that they last used. */
export function useSavedViews(of: Collection, list: string) {
  const { ref } = useAccount()
  const isOpen = useCan('view', of.subject)
  const { data } = useQuery({
    queryKey: viewsKey(ref, list),
    queryFn: ({ signal }) => client.savedViews.list(list, { signal }),
    enabled: isOpen,
    staleTime: staleAfterMs,
  })
  return { views: data?.views ?? noViews, columns: data?.columns ?? undefined }
}

/** Saves a view: a new one without an id, a change with one. */
export function useSaveView(list: string) {
  const settle = useSettle(list)
  return useMutation({
    mutationFn: ({ id, ...view }: Pick<SavedView, 'name' | 'query' | 'shared'> & { id: string | undefined }) =>
      id === undefined ? client.savedViews.create({ list, ...view }) : client.savedViews.patch(id, view),
    onSuccess: settle,
  })
}

export function useRemoveView(list: string) {
  const settle = useSettle(list)
  return useMutation({ mutationFn: (id: string) => client.savedViews.remove(id), onSuccess: settle })
}

/** Saves the columns of a list for the next time; a failure is ignored, because it costs the user nothing now. */
export function useRememberColumns(list: string) {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (columns: readonly string[] | null) =>
      client.savedViews.rememberColumns({ list, columns: columns && [...columns] }),
    scope: { id: `columns of ${list}` },
  })
  return (columns: readonly string[] | null) => {
    queryClient.setQueryData<SavedViews>(
      viewsKey(ref, list),
      (stored) => stored && { ...stored, columns: columns && [...columns] },
    )
    mutate(columns)
  }
}

const noViews: readonly SavedView[] = []

function viewsKey(accountRef: string, list: string) {
  return ['savedViews', accountRef, list] as const
}

function useSettle(list: string) {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: viewsKey(ref, list) })
}
