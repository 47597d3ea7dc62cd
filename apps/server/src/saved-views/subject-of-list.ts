import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { AppError } from '../errors/app-error.ts'

/** What the rights to a list hang on: the subject of the collection that it shows. */
export function subjectOfList(list: string) {
  const [name = ''] = list.split('.', 1)
  const collection = Object.values<Collection>(collections).find((each) => each.name === name)
  if (collection) return collection.subject
  const message = `There is no list "${list}".`
  throw new AppError('bad_request', message, { fields: { list: message } })
}
