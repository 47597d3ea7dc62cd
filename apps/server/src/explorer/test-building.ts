import { makeItem, type Written } from '../collections/test-items.ts'
import type { TestServer } from '../test-server.ts'

type Fields = Record<string, unknown>

/** Weekdays from six to six, closed on holidays. */
export const dayShift = { name: 'Day shift', windows: [{ days: [1, 2, 3, 4, 5], start: '06:00', end: '18:00' }] }

/** A building in London, in an account below `main`: one door, which a rule opens to a group by day. */
export async function makeBuilding(server: TestServer, account: string) {
  const make = (collection: Written, fields: Fields = {}, where = account) =>
    makeItem({ ask: server.in(where), collection, fields })
  await make('accounts', { ref: account, name: `The ${account}` }, server.account)
  const site = await make('sites', { name: 'Cold Store', timeZone: 'Europe/London' })
  const unit = await make('units', { name: 'Gatehouse', serial: `VC-${account}` })
  const door = await make('doors', {
    name: 'Loading Bay 2',
    site: site._id,
    unit: unit._id,
    unitDoor: 1,
    directions: { entry: true, exit: true },
  })
  const schedule = await make('schedules', dayShift)
  const group = await make('userGroups', { name: 'Warehouse' })
  const rule = await make('rules', {
    name: 'Warehouse staff',
    effect: 'allow',
    who: [{ kind: 'User Group', id: group._id }],
    where: [{ kind: 'Site', id: site._id }],
    schedule: schedule._id,
  })
  return { account, make, addPerson, site, unit, door, schedule, group, rule }

  /** A user with a card, in the group by default. */
  async function addPerson(
    name: string,
    { number, groups = [group._id], ...fields }: Fields & { number: string; groups?: string[] },
  ) {
    const person = await make('users', { name, groups, ...fields })
    const card = await make('credentials', { kind: 'card', number, user: person._id })
    return { ...person, card: card._id, number }
  }
}
