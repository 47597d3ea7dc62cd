import { isSessionEnded } from '@portcullis/client/api-error'
import type { CurrentUser } from '@portcullis/contract/calls/authentication'
import { meQuery } from './me-query.ts'
import { queryClient } from './query-client.ts'

/** Who is signed in now, as the server knows them; nobody without a session. */
export async function findUser(): Promise<CurrentUser | undefined> {
  try {
    return (await queryClient.fetchQuery({ ...meQuery(null), staleTime: 0 })).user
  } catch (error) {
    if (isSessionEnded(error)) return undefined
    throw error
  }
}
