import { useQuery } from '@tanstack/react-query'
import { client } from './client.ts'
import { useAccount } from './session-context.tsx'

/** The current account's picture; `null` where there is none or it cannot be loaded, undefined while it loads. */
export function useAccountPicture(): Blob | null | undefined {
  const { ref, image } = useAccount()
  const { data, isError } = useQuery({
    // The tag changes with the picture, so that a new one is requested at once.
    queryKey: ['account-picture', ref, image],
    queryFn: ({ signal }) => client.accounts.image(ref, { signal }),
    enabled: image !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return image === null || isError ? null : data
}
