import type { GuestAccess, GuestDoor, guestStates } from '@portcullis/contract/calls/guests'
import { doorCommand } from '@portcullis/contract/calls/units'
import { doorsOfRules } from '@portcullis/domain/decision/doors-of-rules'
import type { PolicyIndex } from '@portcullis/domain/decision/policy-index'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import type { Policies } from '../policy/policies.ts'
import { hashOfToken } from '../sessions/token.ts'

export type PolicySource = { database: Database; policies: Policies }

const linkRow = z.object({
  rule: z.uuid(),
  /** Key of the account of the rule. */
  account: z.int(),
  root: z.int(),
  accountName: z.string(),
  credential: z.uuid(),
  guest: z.object({ _id: z.uuid(), name: z.string() }),
  invitedBy: z.string(),
  from: z.iso.datetime().nullable(),
  until: z.iso.datetime().nullable(),
  now: z.iso.datetime(),
  isGiven: z.boolean(),
})
export type GuestLink = z.output<typeof linkRow> & { tokenHash: Buffer }

/** The link with this token; undefined if there is none. A suspended account takes back the links of its guests. */
export async function findLink(database: Database, token: string): Promise<GuestLink | undefined> {
  const tokenHash = hashOfToken(token)
  const found = await database.asSystem((tx) =>
    tx.first(
      linkRow,
      sql`select rule_id as rule, rule_account as account, account_root as root, account_name as "accountName",
             guest_link_credential as credential, jsonb_build_object('_id', person_id, 'name', person_name) as guest,
             guest_link_invited_by_name as "invitedBy", rule_adhoc_from as from, rule_adhoc_until as until,
             clock_timestamp() as now,
             rule_enabled and credential_status = 'active' and membership_status = 'active' and not exists (
               select from account_closure join account above on above.account_key = account_closure_ancestor
                where account_closure_descendant = rule_account and above.account_status = 'suspended') as "isGiven"
            from guest_link join rule on rule_id = guest_link_rule join account on account_key = rule_account
            join credential on credential_id = guest_link_credential join person on person_id = rule_guest
            join membership on membership_user = person_id and membership_account = rule_account
           where guest_link_token_hash = ${tokenHash}`,
    ),
  )
  return found && { ...found, tokenHash }
}

/** What the page of a link shows. An unknown link has ended. */
export async function accessOfLink(
  { database, policies }: PolicySource,
  link: GuestLink | undefined,
): Promise<GuestAccess> {
  const state = link ? stateOf(link) : 'ended'
  if (!link || !isShown(state)) return { state, access: null }
  const { accountName, guest, invitedBy, from, until } = link
  const { index } = await policies.latestOfAccount(link.account)
  const doors = await doorsOf(database, { link, index })
  // `stateOf` has found both.
  return {
    state,
    access: { guest: guest.name, invitedBy, account: accountName, from: from ?? '', until: until ?? '', doors },
  }
}

type State = (typeof guestStates)[number]

function stateOf({ from, until, now, isGiven }: GuestLink): State {
  if (until !== null && Date.parse(until) <= Date.parse(now)) return 'ended'
  if (from === null || until === null || !isGiven) return 'withdrawn'
  return Date.parse(from) > Date.parse(now) ? 'upcoming' : 'active'
}

function isShown(state: State) {
  return state === 'upcoming' || state === 'active'
}

const maxDoors = 50

/** The doors that the rule names, by site. */
export function doorsOfLink(index: PolicyIndex, { rule: id }: GuestLink) {
  const rule = index.rules.get(id)
  return rule ? [...doorsOfRules(index, [rule]).take(maxDoors)] : []
}

const commandRow = doorCommand.pick({ _id: true, door: true, status: true, detail: true })

async function doorsOf(
  database: Database,
  { link, index }: { link: GuestLink; index: PolicyIndex },
): Promise<GuestDoor[]> {
  const commands = await database.asSystem((tx) =>
    tx.rows(
      commandRow,
      sql`select distinct on (unit_command_door) unit_command_id as _id, unit_command_door as door,
             unit_command_status as status, unit_command_detail as detail
            from unit_command where unit_command_requested_by = ${link.guest._id}
             and unit_command_requested_at > now() - interval '20 seconds'
           order by unit_command_door, unit_command_requested_at desc`,
    ),
  )
  const byDoor = new Map(commands.map(({ door, ...command }) => [door, command]))
  return doorsOfLink(index, link)
    .map(({ _id, name, site }) => {
      const { name: siteName = '', timeZone = 'UTC' } = index.sites.get(site) ?? {}
      return { _id, name, site: siteName, timeZone, command: byDoor.get(_id) ?? null }
    })
    .sort((a, b) => a.site.localeCompare(b.site) || a.name.localeCompare(b.name))
}
