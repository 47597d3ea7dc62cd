import { type Role, roles } from '@portcullis/contract/abilities'
import sql from 'sql-template-tag'
import type { TestServer } from '@portcullis/server/test-server'
import { refOf } from './marks.ts'
import { type Place, treeBelow } from './places.ts'

/** Somebody who asks: with a role on `own`, with a lesser one on `child` besides, with every right, with none anywhere, or without a session. */
export type Persona = {
  name: Role | 'kept out below' | 'hyper' | 'no membership' | 'no session'
  rights: Role | 'hyper' | undefined
  /** The role on `child`, where they hold another one there. */
  onChild?: Role
  cookie: string | undefined
  email: string
  userId: string
}

/** The same person where their nearest role is another. */
export function personaIn(place: Place, persona: Persona): Persona {
  return persona.onChild !== undefined && place === 'child' ? { ...persona, rights: persona.onChild } : persona
}

/** The account and what lies below it, less where a lesser role of theirs is nearer. */
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
  const keptOut = { ...(await signIn('admin')), onChild: 'appUser' } as const
  const hyper = await signIn('appUser')
  const outsider = await signIn('appUser')
  await server.database.asSystem(async (tx) => {
    await tx.run(sql`update person set person_hyper = true where person_id = ${hyper.userId}`)
    await tx.run(sql`delete from membership where membership_user in (${hyper.userId}, ${outsider.userId})`)
    await tx.run(sql`insert into membership (membership_user, membership_account, membership_role)
      values (${keptOut.userId}, ${await server.keyOf(refOf('child'))}, ${keptOut.onChild})`)
    // Nobody is away while others are asked.
    await tx.run(sql`update person set person_idle_time = 86400`)
  })
  return [
    ...held,
    { name: 'kept out below', rights: 'admin', ...keptOut },
    { name: 'hyper', rights: 'hyper', ...hyper },
    { name: 'no membership', rights: undefined, ...outsider },
    { name: 'no session', rights: undefined, ...outsider, cookie: undefined },
  ]
}
