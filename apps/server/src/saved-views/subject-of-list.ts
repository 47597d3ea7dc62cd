import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { problem } from '@portcullis/contract/errors/problem'
import { unusable } from '../errors/unusable.ts'

/** What the rights to a list hang on: the subject of the collection that it shows. */
export function subjectOfList(list: string) {
  const [name = ''] = list.split('.', 1)
  const collection = Object.values<Collection>(collections).find((each) => each.name === name)
  if (collection) return collection.subject
  throw unusable('list', problem('unknown_list'))
}
