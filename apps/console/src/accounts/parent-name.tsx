import { useQuery } from '@tanstack/react-query'
import { wayTo } from '../account-tree/account-hierarchy.ts'
import { hierarchyQuery } from '../session/me-query.ts'
import { text } from '../text/text.ts'

/** The parent of an account. The parent of the topmost visible account is out of scope. */
export function ParentName({ id }: { id: string | null }) {
  const { data = [] } = useQuery(hierarchyQuery())
  const parent = id === null ? undefined : wayTo(data, id).at(-1)
  return parent ? <bdi>{parent.name}</bdi> : <span className="soft">{text('accounts.top')}</span>
}
