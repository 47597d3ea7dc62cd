import { type Access, demandField } from '../abilities/access.ts'
import { subjectOfList } from './subject-of-list.ts'

/** What everybody finds in their menu is for those to say who manage what the list shows. */
export function demandSharing(access: Access, list: string) {
  demandField(access, { field: 'shared', subject: subjectOfList(list) })
}
