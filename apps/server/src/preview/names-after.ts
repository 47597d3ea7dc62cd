import { isAllowed, type Subject } from '@portcullis/contract/abilities'
import { maxNamedCardholders } from '@portcullis/contract/calls/unit-difference'
import { doors } from '@portcullis/contract/collections/doors'
import { schedules } from '@portcullis/contract/collections/schedules'
import { units } from '@portcullis/contract/collections/units'
import { users } from '@portcullis/contract/collections/users'
import { membershipKey, type PolicyIndex } from '@portcullis/domain/decision/policy-index'
import type { Access } from '../abilities/access.ts'
import type { TriedPolicy } from './try-change.ts'

export type NamesAfter = ReturnType<typeof namesAfter>
type Found = { readonly _id: string; readonly name: string; readonly account: string }
type Visible = { subject: Subject; items: readonly (Found | undefined)[] }
type Names = Pick<TriedPolicy, 'before' | 'index'> & {
  rules: Access['rules']
  /** Ids of the accounts that the request may see. */
  accounts: ReadonlySet<string>
}

/** Names as they will be, and of what the change removes as they were, of items that the request may see. */
export function namesAfter({ before, index, rules, accounts }: Names) {
  const isVisible = ({ account }: Found) => accounts.has(account)
  const visible = ({ subject, items }: Visible) =>
    isAllowed(rules, { action: 'view', subject })
      ? items
          .flatMap((item) => (item && isVisible(item) ? [item] : []))
          .map(({ _id, name, account }) => ({ _id, name, account }))
          .sort((one, other) => (one.name < other.name ? -1 : 1))
      : []
  const membershipsOf = (user: string) => index.membershipsOfUser.get(user) ?? before.membershipsOfUser.get(user)
  return {
    accounts,
    units: (ids: readonly string[]) => visible({ ...units, items: ids.map((id) => index.units.get(id)) }),
    doors: (ids: readonly string[]) =>
      visible({ ...doors, items: ids.map((id) => index.doors.get(id) ?? before.doors.get(id)) }),
    schedules: (ids: readonly string[]) =>
      visible({ ...schedules, items: ids.map((id) => index.storedSchedules.get(id)) }),
    /** By membership key. */
    cardholders: (keys: readonly string[]) =>
      visible({ ...users, items: keys.map((key) => memberIn(index, key)) }).slice(0, maxNamedCardholders),
    /** By id, in the first of their accounts that is visible. */
    users: (ids: readonly string[]) =>
      visible({ ...users, items: ids.map((id) => membershipsOf(id)?.find(isVisible)) }),
  }
}

function memberIn(index: PolicyIndex, key: string) {
  const [user = ''] = key.split('@')
  return index.membershipsOfUser.get(user)?.find(({ _id, account }) => membershipKey(_id, account) === key)
}
