import type { BodyOf } from '@portcullis/contract/call'
import type { importHolidays } from '@portcullis/contract/calls/import-holidays'
import { holidays } from '@portcullis/contract/collections/holidays'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { collectionKey } from '../item/keys.ts'
import { undoAll } from '../item/undo-all.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { toast } from '../ui/toasts.ts'

export type ImportBody = BodyOf<typeof importHolidays>
export type ImportState = ReturnType<typeof useImport>

/** What an import would do, and the import itself; undefined until it is complete. */
export function useImport(imported: ImportBody | undefined, onDone: () => void) {
  const [replaceDates, setReplaceDates] = useState(false)
  const body = imported && { ...imported, replaceDates }
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const readAgain = () => queryClient.invalidateQueries({ queryKey: collectionKey(holidays, ref) })
  const dryRun = useQuery({
    // Not read again after the import.
    queryKey: ['holidays import', ref, body],
    queryFn: ({ signal }) => client.holidays.import({ ...body, dryRun: true }, { signal }),
    enabled: body !== undefined,
    gcTime: 0,
    retry: false,
  })
  const rows = body === undefined ? [] : (dryRun.data?.rows ?? [])
  const count = rows.filter(({ state }) => state === 'new' || state === 'changed').length
  const store = useMutation({
    mutationFn: (complete: ImportBody) => client.holidays.import({ ...complete, replaceDates }),
    onSuccess: async (imported) => {
      const entries = imported.rows.flatMap(({ entry }) => entry ?? [])
      toast({
        text: text('holidays.imported', { count }),
        action: { label: text('toast.undo'), run: () => void undoAll(entries).then(readAgain) },
      })
      onDone()
      await readAgain()
    },
  })
  const error = dryRun.error ?? store.error
  return { rows, count, error, isChecking: dryRun.isFetching, replaceDates, setReplaceDates, store }
}
