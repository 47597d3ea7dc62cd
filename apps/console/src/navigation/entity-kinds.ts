import type { Collection } from '@portcullis/contract/collection'
import { contacts } from '@portcullis/contract/collections/contacts'
import { credentials } from '@portcullis/contract/collections/credentials'
import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { holidays } from '@portcullis/contract/collections/holidays'
import { reports } from '@portcullis/contract/collections/reports'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { siteGroups } from '@portcullis/contract/collections/site-groups'
import { sites } from '@portcullis/contract/collections/sites'
import { tenants } from '@portcullis/contract/collections/tenants'
import { units } from '@portcullis/contract/collections/units'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { idOf, nameOf, part } from '../item/item-parts.ts'
import { text } from '../text/text.ts'

/** Items that can be found by name, and the screen on which they open. */
export type EntityKind = {
  of: Collection
  /** The label of one of them: `Door`. */
  one: string
  pathOf: (item: unknown) => string
  /** The field by which it is found, if not by its name. */
  labelOf?: (item: unknown) => string
}

export const entityKinds: readonly EntityKind[] = [
  { of: users, one: text('palette.kinds.user'), pathOf: (item) => `/users/list?open=${idOf(item)}` },
  { of: doors, one: text('palette.kinds.door'), pathOf: (item) => `/sites/${textOf(item, 'site')}?open=${idOf(item)}` },
  { of: sites, one: text('palette.kinds.site'), pathOf: (item) => `/sites/${idOf(item)}` },
  { of: units, one: text('palette.kinds.unit'), pathOf: (item) => `/units/list?open=${idOf(item)}` },
  { of: rules, one: text('palette.kinds.rule'), pathOf: (item) => `/rules/list?open=${idOf(item)}` },
  { of: userGroups, one: text('palette.kinds.userGroup'), pathOf: (item) => `/users/groups?open=${idOf(item)}` },
  { of: doorGroups, one: text('palette.kinds.doorGroup'), pathOf: (item) => `/sites/doorGroups?open=${idOf(item)}` },
  { of: siteGroups, one: text('palette.kinds.siteGroup'), pathOf: (item) => `/sites/groups?open=${idOf(item)}` },
  { of: schedules, one: text('palette.kinds.schedule'), pathOf: (item) => `/rules/schedules?open=${idOf(item)}` },
  { of: holidays, one: text('palette.kinds.holiday'), pathOf: (item) => `/rules/holidays?open=${idOf(item)}` },
  { of: reports, one: text('palette.kinds.report'), pathOf: (item) => `/incidentReports/list?open=${idOf(item)}` },
  { of: tenants, one: text('palette.kinds.tenant'), pathOf: (item) => `/tenant/list?open=${idOf(item)}` },
  { of: contacts, one: text('palette.kinds.contact'), pathOf: (item) => `/contacts/list?open=${idOf(item)}` },
  {
    of: credentials,
    one: text('palette.kinds.credential'),
    // A credential opens with its user.
    pathOf: (item) => (textOf(item, 'user') ? `/users/list?open=${textOf(item, 'user')}` : '/users/list'),
    labelOf: (item) => textOf(item, 'number'),
  },
]

export function labelOf(kind: EntityKind, item: unknown): string {
  return kind.labelOf?.(item) ?? nameOf(item) ?? text('form.none')
}

function textOf(item: unknown, name: string) {
  const value = part(item, name)
  return typeof value === 'string' ? value : ''
}
