import { isolated } from '../text/catalogue.ts'
import { withMore } from '../text/with-more.ts'
import type { InterlockedDoor } from './use-interlocks-of.ts'

const shown = 3

/** The first few doors by name, and the number of others. */
export function doorNames(doors: readonly InterlockedDoor[]) {
  const names = doors.slice(0, shown).map(({ name }) => isolated(name))
  return withMore(names, doors.length - names.length)
}
