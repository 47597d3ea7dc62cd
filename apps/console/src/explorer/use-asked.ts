import { useNavigate, useSearch } from '@tanstack/react-router'

/** The three questions of the explorer. */
export const questions = ['open', 'door', 'user'] as const
export type QuestionKind = (typeof questions)[number]

/** What is asked, as it stands in the address, so that it can be sent to a colleague. */
export type Asked = {
  ask: QuestionKind
  door: string | undefined
  user: string | undefined
  number: string | undefined
  /** One of the credentials of the person; without it the best of them. */
  credential: string | undefined
  /** The clock at the site (`2026-11-20T18:00`) or an instant; without it, now. */
  at: string | undefined
  direction: 'entry' | 'exit'
}

type Search = Record<string, string | undefined>

export function useAsked() {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const asked: Asked = {
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
      Record<keyof Asked | 'accessSearch' | 'accessCan' | 'accessPage' | 'accessSize', string | undefined>
    >,
  ) {
    void navigate({ to: '.', search: (current: Search) => ({ ...current, ...changes }), resetScroll: false })
  }

  return { asked, change }
}
