import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { client } from './client.ts'
import { useAccount } from './session-context.tsx'

/** The URL of the current account's picture; `null` where there is none or it cannot be loaded, undefined while it loads. */
export function useAccountPicture(): string | null | undefined {
  const { ref, image } = useAccount()
  const { data, isError } = useQuery(pictureQuery(ref, image))
  const url = useObjectUrl(data)
  return image === null || isError ? null : url
}

/** The tag changes with the picture, so that a new one is requested at once. */
function pictureQuery(ref: string, tag: string | null) {
  return queryOptions({
    queryKey: ['account-picture', ref, tag],
    queryFn: ({ signal }) => client.accounts.image(ref, { signal }),
    enabled: tag !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

function useObjectUrl(blob: Blob | undefined) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!blob) return
    const created = URL.createObjectURL(blob)
    setUrl(created)
    return () => {
      setUrl(undefined)
      URL.revokeObjectURL(created)
    }
  }, [blob])
  return url
}
