import type { Collection } from '@portcullis/contract/collection'
import { Skeleton } from '@mantine/core'
import { text } from '../text/text.ts'
import { withMore } from '../text/with-more.ts'
import { useNames } from './use-names.ts'
import { isolated } from '../text/catalogue.ts'
import { locale } from '../text/language.ts'

const maxShown = 6

/** The names of several items: the first few, and the number of all of them (`count`, as text) if it is given. */
export function NamesOf({ of, ids, count }: { of: Collection; ids: readonly string[]; count?: string }) {
  const shown = ids.slice(0, maxShown)
  const names = useNames(of, shown)
  if (ids.length === 0) return <span className="soft">{text('form.none')}</span>
  if (names.size < shown.length) return <Skeleton height={12} width="60%" />
  const words = shown.map((id) => names.get(id) ?? text('form.removed')).sort((a, b) => a.localeCompare(b, locale))
  return (
    <>
      {withMore(words.map(isolated), ids.length - maxShown)}
      {count && <span className="second">{count}</span>}
    </>
  )
}
