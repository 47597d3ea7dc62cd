import { Link } from '@tanstack/react-router'
import { useAccount, useCan } from '../session/session-context.tsx'
import type { Part, Phrase, Thing } from '../text/phrase.ts'

/** A sentence with emphasised names, and links to the items that the user may open. */
export function PhraseText({ phrase }: { phrase: Phrase }) {
  return phrase.map((part, index) => <Piece key={`${index} ${wordsOf(part)}`} part={part} />)
}

/** The screens of items, inside an account; `?open=` opens one. */
export const screenOf = { rule: '/rules/list', schedule: '/rules/schedules', user: '/users/list' } as const

/** The items in sentences that the user may open. */
export function useMayOpen(): Record<Thing['kind'], boolean> {
  return {
    rule: useCan('view', 'Access Control'),
    schedule: useCan('view', 'Schedules'),
    user: useCan('view', 'Users'),
  }
}

function Piece({ part }: { part: Part }) {
  const { ref } = useAccount()
  const mayOpen = useMayOpen()
  if (typeof part === 'string') return part
  if (part.kind === 'strong' || !mayOpen[part.kind]) {
    return (
      <b>
        <bdi>{part.text}</bdi>
      </b>
    )
  }
  const to: string = `/${ref}${screenOf[part.kind]}`
  return (
    <Link to={to} search={{ open: part.id }}>
      <bdi>{part.text}</bdi>
    </Link>
  )
}

function wordsOf(part: Part) {
  return typeof part === 'string' ? part : part.text
}
