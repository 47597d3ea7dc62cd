import { type Role, roles } from '@portcullis/contract/abilities'
import sql from 'sql-template-tag'
import type { TestServer } from '@portcullis/server/test-server'
import { refOf } from './marks.ts'
import { type Place, treeBelow } from './places.ts'

/** A user with a role on `own`, with a lesser role on `child` too, with every right, without a role, or without a session. */
export type Persona = {
  name: Role | 'kept out below' | 'hyper' | 'no membership' | 'no session'
  rights: Role | 'hyper' | undefined
  /** The role on `child`, if it differs from the role on `own`. */
  onChild?: Role
  cookie: string | undefined
  email: string
  userId: string
}

/** The persona with its role in this account, which may be another on `child`. */
export function personaIn(place: Place, persona: Persona): Persona {
  return persona.onChild !== undefined && place === 'child' ? { ...persona, rights: persona.onChild } : persona
}

/** The account and those below it, except `child` where the persona has a lesser role there. */
export function coveredFrom(place: Place, { onChild }: Persona): ReadonlySet<Place> {
  const below = treeBelow(place)
  return onChild === undefined || place === 'child' ? below : below.difference(new Set(['child']))
}

export async function makePersonas(server: TestServer): Promise<Persona[]> {
  const signIn = async (role: Role) => {
    const { headers, email, userId } = await server.signInAs({ role, account: refOf('own') })
    return { cookie: headers.cookie, email, userId }
  }
  const held: Persona[] = []
  for (const role of roles) held.push({ name: role, rights: role, ...(await signIn(role)) })
  const narrowed = { ...(await signIn('admin')), onChild: 'appUser' } as const
  const hyper = await signIn('appUser')
  const outsider = await signIn('appUser')
  await server.database.asSystem(async (tx) => {
    await tx.run(sql`update person set person_hyper = true where person_id = ${hyper.userId}`)
    await tx.run(sql`delete from membership where membership_user in (${hyper.userId}, ${outsider.userId})`)
    await tx.run(sql`insert into membership (membership_user, membership_account, membership_role)
      values (${narrowed.userId}, ${await server.keyOf(refOf('child'))}, ${narrowed.onChild})`)
    // Keeps personas from timing out as idle while others make requests.
    await tx.run(sql`update person set person_idle_time = 86400`)
  })
  return [
    ...held,
    { name: 'kept out below', rights: 'admin', ...narrowed },
    { name: 'hyper', rights: 'hyper', ...hyper },
    { name: 'no membership', rights: undefined, ...outsider },
    { name: 'no session', rights: undefined, ...outsider, cookie: undefined },
  ]
}
