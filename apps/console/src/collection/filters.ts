import type { Collection } from '@portcullis/contract/collection'
import type { Filter } from '@portcullis/contract/list-query'

/** One filter chip above a list. Its value stands in the address under `name`. */
export type ListFilter = {
  name: string
  label: string
  /** What the value means to the server; the field of the filter's name equals it, unless said otherwise. */
  toFilter?: (value: string) => Filter | undefined
} & ({ kind: 'choice'; choices: readonly { value: string; label: string }[] } | { kind: 'reference'; of: Collection })

/** The server's filter for the values that are set. */
export function filterOf(filters: readonly ListFilter[], values: Readonly<Record<string, string>>): Filter | undefined {
  const terms: Filter[] = []
  for (const { name, toFilter = (value: string): Filter => ({ [name]: value }) } of filters) {
    const value = values[name]
    const term = value === undefined ? undefined : toFilter(value)
    if (term) terms.push(term)
  }
  const [only] = terms
  return terms.length > 1 ? { and: terms } : only
}
