import type { AccessQuestion } from '@portcullis/contract/calls/explorer'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMinute } from '../time/use-minute.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import type { Asked } from './use-asked.ts'

/** The answer to what is asked, once enough is; what is asked of the present is asked again every minute. */
export function useAnswer(asked: Asked) {
  const { ref } = useAccount()
  const minute = useMinute().toISOString().slice(0, 16)
  const question = questionOf(asked)
  return useQuery({
    queryKey: ['explorer', ref, 'decide', question, asked.at === undefined ? minute : 'then'],
    queryFn: ({ signal }) => client.explorer.decide(question ?? { door: '' }, { signal }),
    enabled: question !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
}

function questionOf({ door, user, number, credential, at, direction }: Asked): AccessQuestion | undefined {
  if (door === undefined) return undefined
  const about = { door, direction, ...(at === undefined ? {} : { at }) }
  if (credential !== undefined) return { ...about, credential }
  if (user !== undefined) return { ...about, user }
  return number === undefined ? undefined : { ...about, number }
}
