import { Link } from '@tanstack/react-router'
import { collections } from '@portcullis/contract/collections/registry'
import { useList } from '../item/use-list.ts'
import { entityKinds } from '../navigation/entity-kinds.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { collectionOf, type Entry } from './audit-entry.ts'

/** Leads to the item as it is now; says so where it is gone. */
export function ItemLink({ entry }: { entry: Entry }) {
  const { ref } = useAccount()
  const of = collectionOf(entry) ?? collections.auditLogs
  const kind = entityKinds.find((each) => each.of === of)
  const maySee = useCan('view', of.subject)
  const isAsked = kind !== undefined && maySee && entry.item !== null
  // Asked for as a list of one, for an item that is gone is no failure here.
  const { data } = useList(of, { filter: { _id: entry.item }, size: 1 }, { isEnabled: isAsked })
  if (!isAsked || !data) return null
  const [item] = data.items
  if (item === undefined) return <span className="soft">{text('audit.gone')}</span>
  const [path = '', query] = kind.pathOf(item).split('?')
  const to: string = `/${ref}${path}`
  return (
    <Link to={to} search={Object.fromEntries(new URLSearchParams(query))}>
      {text('audit.openItem')}
    </Link>
  )
}
