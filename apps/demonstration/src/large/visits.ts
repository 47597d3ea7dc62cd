import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import type { Credential, Door } from '@portcullis/domain/policy'
import type { EventRow } from '@portcullis/server/ingest/event-row'
import { eventTeller } from '../past/tell-events.ts'
import type { Random } from '../random.ts'
import { regions } from './estate.ts'

type Asked = {
  index: PolicyIndex
  accounts: ReadonlyMap<string, number>
  titles: ReadonlyMap<string, string | null>
  at: number
  random: Random
}

/** Somebody at a door, decided once: the events of all days are made of them. */
export type Visit = EventRow & { aheadHours: number }

const doorsOfPerson = 3
const refusedShare = 0.022

/** For everybody the doors that they use, and now and then one at which they are turned away. */
export function* visits({ index, accounts, titles, at, random }: Asked): Generator<Visit> {
  const policies = { at: () => ({ from: 0, version: index.policy.version, index }) }
  const teller = eventTeller({ policies, accounts, titles, outages: [], random })
  const doorsOfSite = Map.groupBy(index.policy.doors, ({ site }) => site)
  const siteOfUser = sitesOfUsers(index)
  const sites = [...doorsOfSite.keys()]
  for (const credential of index.policy.credentials) {
    const site = siteOfUser.get(credential.user ?? '')
    const own = site === undefined ? [] : (doorsOfSite.get(site) ?? [])
    const used = credential.status === 'active' ? [own[0], random.pick(own), random.pick(own)] : [own[0]]
    for (const door of used.slice(0, doorsOfPerson)) yield* visit(door, credential)
    if (random.chance(refusedShare * doorsOfPerson))
      yield* visit(random.pick(doorsOfSite.get(random.pick(sites) ?? '') ?? []), credential)
  }

  function* visit(door: Door | undefined, { number }: Credential): Generator<Visit> {
    if (!door || door.unit === null || door.unitDoor === null) return
    const { unit, unitDoor } = door
    const zone = index.sites.get(door.site)?.timeZone
    const aheadHours = regions.find(({ timeZone }) => timeZone === zone)?.aheadHours ?? 0
    yield { ...teller.access({ unit, unitDoor, number, direction: 'entry', at }), aheadHours }
  }
}

/** The site at which each person works: the one of the rule that names their group. */
function sitesOfUsers({ policy }: PolicyIndex) {
  const siteOfGroup = new Map(
    policy.rules.flatMap(({ who: [group], where: [site] }) => (group && site ? [[group.id, site.id]] : [])),
  )
  return new Map(
    policy.userGroups.flatMap(({ _id, members }) => {
      const site = siteOfGroup.get(_id)
      return site === undefined ? [] : members.map((member) => [member, site] as const)
    }),
  )
}
