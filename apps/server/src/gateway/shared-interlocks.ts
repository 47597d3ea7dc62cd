import type { InterlockAnswered } from '@portcullis/contract/unit-protocol/interlock-frames'
import { limits } from '@portcullis/contract/unit-protocol/frames'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'
import { Turns } from '../limits/turns.ts'

/** `nonce`: of the hello. What has come on an earlier connection of the unit is ignored. */
type Connected = { unit: string; nonce: string }

const doorRow = z.object({ id: z.uuid() })
const othersRow = z.object({ outcome: z.enum(['open', 'unknown']).nullable() })

type Claim = Connected & { door: number }
type SystemDatabase = Pick<Database, 'asSystem'>
/** Undefined if nothing was examined: the unit then decides as without the server. */
type Answered = InterlockAnswered | undefined

/** Claims wait for each other, on connections of all accounts. At most one of each unit is under way. */
const claimsOfTree = { most: 2, waiting: Infinity } as const

/** A claim that has waited for its turn for as long as its unit waits for the answer is not examined. */
export function makeClaimInterlock(database: SystemDatabase, now = () => performance.now()) {
  const turns = new Turns(claimsOfTree)
  return ({ root, ...claim }: Claim & { root: number }) => {
    const latest = now() + limits.interlockMs
    return turns.take(
      `${root}`,
      async (): Promise<Answered> => (now() < latest ? claimInterlock(database, claim) : undefined),
    )
  }
}

/**
 * Whether the door with this number may be released: each door of its interlocks at another unit was reported as closed and
 * locked by that unit. From then on it counts as released itself, until its unit reports it as secure. Of two requests at the
 * same time, one is refused. What a unit without connection has last reported as open is `unknown`.
 */
export async function claimInterlock(database: SystemDatabase, { unit, nonce, door }: Claim): Promise<Answered> {
  const claim = async (tx: Transaction): Promise<InterlockAnswered> => {
    waitBriefly(tx)
    const own = await tx.first(
      doorRow,
      sql`select door_id as id from door where door_unit = ${unit} and door_unit_door = ${door}`,
    )
    if (!own) return 'unknown'
    const interlocks = sql`select link_owner from link where link_target = ${own.id} and link_field = 'doors'`
    await tx.run(
      sql`select from interlocking_group where interlocking_group_id in (${interlocks})
           order by interlocking_group_id for no key update`,
    )
    if ((await tx.run(connectedUnit({ unit, nonce }))) === 0) return 'unknown'
    const others = await tx.first(
      othersRow,
      sql`select case when bool_or(not interlock_state_is_secure and unit_state_status = 'online') then 'open'
                      when count(*) > 0 then 'unknown' end as outcome
            from interlocking_group
            join link on link_owner = interlocking_group_id and link_field = 'doors'
            join door on door_id = link_target and door_unit <> ${unit} and door_unit_door is not null
            join unit_state on unit_state_id = door_unit
            left join interlock_state on interlock_state_door = door_id and interlock_state_unit = door_unit
           where interlocking_group_id in (${interlocks}) and interlock_state_is_secure is not true`,
    )
    if (others?.outcome) return others.outcome
    await tx.run(
      sql`insert into interlock_state (interlock_state_door, interlock_state_unit, interlock_state_is_secure)
          values (${own.id}, ${unit}, false)
          on conflict (interlock_state_door) do update
            set interlock_state_unit = excluded.interlock_state_unit, interlock_state_is_secure = false`,
    )
    return 'clear'
  }
  return database.asSystem(claim).catch((error: unknown) => {
    if (isLockTimeout(error)) return undefined
    throw error
  })
}

/** The connections to the database are those of all accounts, so nothing waits for a locked interlock for long. */
export function waitBriefly(tx: Transaction) {
  tx.send(sql`select set_config('lock_timeout', ${`${limits.interlockMs / 8}ms`}, true)`)
}

/** The unit, while this is its latest connection: only its arrival waits, not what renews its lease. */
function connectedUnit({ unit, nonce }: Connected) {
  return sql`select unit_state_id from unit_state
    where unit_state_id = ${unit} and unit_state_connection = ${nonce} for key share`
}

function isLockTimeout(error: unknown) {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}

type ReportedDoor = { door: number; isSecure: boolean }

/** Stores what a unit reports of its doors; those that share no interlock change nothing. Throws while an interlock is locked. */
export async function noteInterlockState(
  database: SystemDatabase,
  { unit, nonce, doors }: Connected & { doors: readonly ReportedDoor[] },
) {
  const last = new Map(doors.map(({ door, isSecure }) => [door, isSecure]))
  await database.asSystem((tx) => {
    waitBriefly(tx)
    return tx.run(sql`with connected as (${connectedUnit({ unit, nonce })})
        insert into interlock_state (interlock_state_door, interlock_state_unit, interlock_state_is_secure)
        select door_id, door_unit, is_secure
          from unnest(${[...last.keys()]}::int[], ${[...last.values()]}::boolean[]) as reported (number, is_secure)
          join door on door_unit_door = number
          join connected on unit_state_id = door_unit
         where exists (select from link where link_target = door_id and link_field = 'doors')
         order by door_id
        on conflict (interlock_state_door) do update
          set interlock_state_unit = excluded.interlock_state_unit,
              interlock_state_is_secure = excluded.interlock_state_is_secure
        where (interlock_state.interlock_state_unit, interlock_state.interlock_state_is_secure)
              is distinct from (excluded.interlock_state_unit, excluded.interlock_state_is_secure)`)
  })
}
