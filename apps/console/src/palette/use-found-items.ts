import { isAllowed } from '@portcullis/contract/abilities'
import { useQueries } from '@tanstack/react-query'
import { idOf } from '../item/item-parts.ts'
import { client } from '../session/client.ts'
import { useSession } from '../session/session-context.tsx'
import { entityKinds, labelOf } from '../navigation/entity-kinds.ts'

export type FoundItem = { kind: 'item'; label: string; hint: string; path: string; id: string }

const eachKind = 5
/** One letter finds half of everybody. */
const leastLetters = 2

/** Everything in the account whose name holds the words, a few of each kind that the person may see. */
export function useFoundItems(words: string) {
  const { rules, account } = useSession()
  const isAsked = words.trim().length >= leastLetters
  const kinds = entityKinds.filter(({ of }) => isAllowed(rules, { action: 'view', subject: of.subject }))
  return useQueries({
    queries: kinds.map((kind) => ({
      queryKey: ['palette', kind.of.name, account.ref, words],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<FoundItem[]> => {
        const { items } = await client.of(kind.of).list({ search: words.trim(), size: eachKind }, { signal })
        return items.map((item) => ({
          kind: 'item',
          label: labelOf(kind, item),
          hint: kind.one,
          path: kind.pathOf(item),
          id: `${kind.of.name}:${idOf(item)}`,
        }))
      },
      enabled: isAsked,
      staleTime: 10_000,
    })),
    combine: (answers) => ({
      items: isAsked ? answers.flatMap(({ data }) => data ?? []) : [],
      isSearching: isAsked && answers.some(({ isFetching }) => isFetching),
      isIncomplete: isAsked && answers.some(({ isError }) => isError),
    }),
  })
}
