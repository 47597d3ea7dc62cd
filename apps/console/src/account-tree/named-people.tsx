import type { ReactNode } from 'react'
import { text } from '../text/text.ts'

type Props<T> = { title: string; count: number; people: readonly T[]; wordsOf: (person: T) => ReactNode }

/** The first of some people by name, and how many more there are; nothing without any. */
export function NamedPeople<T extends { _id: string }>({ title, count, people, wordsOf }: Props<T>) {
  if (count === 0) return null
  const others = count - people.length
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {people.map((person) => (
          <li key={person._id}>{wordsOf(person)}</li>
        ))}
        {others > 0 && <li>{text('accounts.more', { count: others })}</li>}
      </ul>
    </section>
  )
}
