import { tasks } from '@portcullis/contract/collections/tasks'
import type { ListQuery } from '@portcullis/contract/list-query'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { listKey } from '../item/keys.ts'
import { holds, isPage, withArrived } from '../item/live-page.ts'
import { useList } from '../item/use-list.ts'
import { useLive } from '../item/use-live.ts'
import { toast } from '../ui/toasts.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import type { Request } from './request.ts'
import { shownRequests } from './shown-requests.ts'

const newestFirst = { prop: 'createdAt', dir: 'desc' } as const
const query: ListQuery = {
  filter: { type: 'RemoteAuthRequest', status: 'Requested' },
  sort: newestFirst,
  size: 100,
}

/**
 * Requests that wait for a decision, as the real-time channel reports them, and those decided here; `onNew` is called with each that has
 * just been raised. Requests missed while the channel was down are loaded again.
 */
export function useRequests({ onNew }: { onNew: (request: Request) => void }) {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const list = useList(tasks, query)
  const [decided, setDecided] = useState<readonly Request[]>([])

  useLive(tasks, {
    newcomers: 'stay',
    haste: 'always',
    onSaved: (saved) => saved.forEach(receive),
    onRemove: clear,
  })

  function receive(request: Request) {
    setDecided((current) => current.map((each) => (each._id === request._id ? request : each)))
    if (request.status !== 'Requested') return
    const key = listKey({ of: tasks, accountRef: ref, query })
    const page = queryClient.getQueryData(key)
    if (isPage(page)) {
      if (holds(page, request._id)) return
      queryClient.setQueryData(key, withArrived(page, { item: request, sort: newestFirst }))
    }
    onNew(request)
  }

  function clear(id: string) {
    setDecided((current) => current.filter(({ _id }) => _id !== id))
  }

  function keep(request: Request) {
    setDecided((current) => [...current.filter(({ _id }) => _id !== request._id), request])
  }

  return {
    list,
    requests: shownRequests({ listed: list.data?.items ?? [], decided }),
    keep,
    clear,
  }
}

/** Grants or denies a request; the toasts are those of specification §8. */
export function useDecision(request: Request, keep: (request: Request) => void) {
  const grant = useMutation({
    mutationFn: () => client.remoteAccess.grant(request._id),
    onSuccess(granted) {
      keep(granted)
      toast({ text: text('remote.granted') })
    },
    onError: () => void toast({ text: text('remote.grantFailed'), tone: 'refusal' }),
  })
  const deny = useMutation({
    mutationFn: () => client.remoteAccess.deny(request._id),
    onSuccess(denied) {
      keep(denied)
      toast({ text: text('remote.denied') })
    },
    onError: () => void toast({ text: text('remote.denyFailed'), tone: 'refusal' }),
  })
  return { grant, deny }
}
