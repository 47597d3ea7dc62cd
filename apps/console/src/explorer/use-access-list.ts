import type { AccessQuery } from '@portcullis/contract/calls/explorer'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'

const againMs = 60_000

/** The users who can open a door; queried again every minute, because hours begin and end. */
export function useDoorAccess(door: string | undefined, query: AccessQuery) {
  const { ref } = useAccount()
  return useQuery({
    queryKey: ['explorer', ref, 'door', door, query],
    queryFn: ({ signal }) => client.explorer.doorAccess(door ?? '', query, { signal }),
    enabled: door !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: againMs,
  })
}

/** The doors that a user can open. */
export function useUserAccess(user: string | undefined, query: AccessQuery) {
  const { ref } = useAccount()
  return useQuery({
    queryKey: ['explorer', ref, 'user', user, query],
    queryFn: ({ signal }) => client.explorer.userAccess(user ?? '', query, { signal }),
    enabled: user !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: againMs,
  })
}
