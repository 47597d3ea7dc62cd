import type { Collection } from '@portcullis/contract/collection'
import { valueWords } from '../../item/value-words.ts'

type Shown = { key: string; label: string; sort?: string; fields?: Readonly<Partial<Record<string, string>>> }

/** The columns of an export: for each visible column its fields, with the titles and words of the list. */
export function exportColumns(of: Pick<Collection, 'name' | 'entitySchema' | 'queryable'>, shown: readonly Shown[]) {
  const titles = new Map<string, string>()
  for (const { key, label, sort = key, fields = { [sort]: label } } of shown) {
    for (const [field, title] of Object.entries(fields)) {
      const isColumn = field in of.entitySchema.shape || of.queryable.includes(field)
      if (title !== undefined && isColumn && !titles.has(field)) titles.set(field, title)
    }
  }
  return [...titles].map(([field, title]) => {
    const words = valueWords(of.name, field)
    return { field, title, ...(words ? { words } : {}) }
  })
}
