import { useNavigate, useSearch } from '@tanstack/react-router'

/** The three questions of the explorer. */
export const questions = ['open', 'door', 'user'] as const
export type QuestionKind = (typeof questions)[number]

/** The question in the URL, so that it can be sent to another user. */
export type ExplorerQuery = {
  ask: QuestionKind
  door: string | undefined
  user: string | undefined
  number: string | undefined
  /** One of the user's credentials; by default the best of them. */
  credential: string | undefined
  /** The local time at the site (`2026-11-20T18:00`) or an instant; by default now. */
  at: string | undefined
  direction: 'entry' | 'exit'
}

type Search = Record<string, string | undefined>

export function useExplorerQuery() {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const query: ExplorerQuery = {
    ask: questions.find((each) => each === search['ask']) ?? 'open',
    door: search['door'],
    user: search['user'],
    number: search['number'],
    credential: search['credential'],
    at: search['at'],
    direction: search['direction'] === 'exit' ? 'exit' : 'entry',
  }

  function change(
    changes: Partial<
      Record<keyof ExplorerQuery | 'accessSearch' | 'accessCan' | 'accessPage' | 'accessSize', string | undefined>
    >,
  ) {
    void navigate({ to: '.', search: (current: Search) => ({ ...current, ...changes }), resetScroll: false })
  }

  return { query, change }
}
