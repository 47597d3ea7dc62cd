import type { Collection } from '@portcullis/contract/collection'
import { Skeleton } from '@mantine/core'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { useNames } from './use-names.ts'

/** The name of an item that is referred to by id: `<NameOf of={sites} id={door.site} />`; a dash where there is none. */
export function NameOf({ of, id }: { of: Collection; id: string | null }) {
  const isOpen = useCan('view', of.subject)
  const name = useNames(of, id === null ? [] : [id]).get(id ?? '')
  if (id === null) return <span className="soft">–</span>
  if (name === undefined) return <Skeleton component="span" display="inline-block" height={12} width={96} />
  if (name === null) return <span className="soft">{text(isOpen ? 'form.removed' : 'form.hidden')}</span>
  return <>{name}</>
}
