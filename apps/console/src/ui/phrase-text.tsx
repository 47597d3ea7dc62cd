import { Link } from '@tanstack/react-router'
import { useAccount, useCan } from '../session/session-context.tsx'
import type { Part, Phrase, Thing } from '../text/phrase.ts'

/** A sentence with its names stressed, and those of things that the person may open as links. */
export function PhraseText({ phrase }: { phrase: Phrase }) {
  return phrase.map((part, index) => <Piece key={`${index} ${wordsOf(part)}`} part={part} />)
}

/** Where things have their screens, inside an account; `?open=` opens one. */
export const screenOf = { rule: '/rules/list', schedule: '/rules/schedules', user: '/users/list' } as const

/** Which of the things in sentences the person may open. */
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
