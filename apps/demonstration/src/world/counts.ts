import { collections } from '@portcullis/contract/collections/registry'
import type { Chronicle } from './chronicle.ts'

/** The counts of a chronicle's items as a sentence, including the account that existed before it. */
export function countsOf(chronicle: Chronicle, controllers: 'virtual controllers' | 'controllers') {
  const items = Map.groupBy(chronicle.items(), ({ collection }) => collection.name)
  const count = ({ name }: { name: string }) => (items.get(name)?.length ?? 0).toLocaleString('en')
  const { sites, doors, units, users } = collections
  const accounts = (items.get(collections.accounts.name)?.length ?? 0) + 1
  return `${accounts} accounts, ${count(sites)} sites, ${count(doors)} doors, ${count(units)} ${controllers}, ${count(users)} users`
}
