import { type Role, roles } from '@portcullis/contract/abilities'
import sql from 'sql-template-tag'
import type { TestServer } from '../test-server.ts'
import { refOf } from './marks.ts'

/** Somebody who asks: with a role on `own`, with every right, with none anywhere, or without a session. */
export type Persona = {
  name: Role | 'hyper' | 'no membership' | 'no session'
  rights: Role | 'hyper' | undefined
  cookie: string | undefined
  email: string
  userId: string
}

export async function makePersonas(server: TestServer): Promise<Persona[]> {
  const signIn = async (role: Role) => {
    const { headers, email, userId } = await server.signInAs({ role, account: refOf('own') })
    return { cookie: headers.cookie, email, userId }
  }
  const held: Persona[] = []
  for (const role of roles) held.push({ name: role, rights: role, ...(await signIn(role)) })
  const hyper = await signIn('appUser')
  const outsider = await signIn('appUser')
  await server.database.asSystem(async (tx) => {
    await tx.run(sql`update person set person_hyper = true where person_id = ${hyper.userId}`)
    await tx.run(sql`delete from membership where membership_user in (${hyper.userId}, ${outsider.userId})`)
    // Nobody is away while others are asked.
    await tx.run(sql`update person set person_idle_time = 86400`)
  })
  return [
    ...held,
    { name: 'hyper', rights: 'hyper', ...hyper },
    { name: 'no membership', rights: undefined, ...outsider },
    { name: 'no session', rights: undefined, ...outsider, cookie: undefined },
  ]
}
