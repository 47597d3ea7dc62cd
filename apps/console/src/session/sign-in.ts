import { ApiError } from '@portcullis/client/api-error'
import { errorText } from '../text/error-text.ts'
import { text } from '../text/text.ts'
import { client } from './client.ts'
import { forgetSession } from './forget-session.ts'
import { queryClient } from './query-client.ts'

/** Signs in with e-mail and password. Answers nothing, or what to tell the person; a failure logs out (specification §8). */
export async function signIn({ email, password }: { email: string; password: string }): Promise<string | undefined> {
  try {
    await client.login({ email: email.trim(), password, type: 'Local' })
    forgetSession()
    return undefined
  } catch (error) {
    const wasSignedIn = queryClient.getQueriesData({ queryKey: ['me'] }).some(([, data]) => data)
    forgetSession()
    if (wasSignedIn) await client.logout().catch(() => undefined)
    return error instanceof ApiError ? errorText(error) : text('error.unknown')
  }
}
