import {
  decideAccess,
  doorAccess,
  exportDoorAccess,
  exportUserAccess,
  userAccess,
} from '@portcullis/contract/calls/explorer'
import { doors } from '@portcullis/contract/collections/doors'
import { users } from '@portcullis/contract/collections/users'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { AppError } from '../errors/app-error.ts'
import type { Policies } from '../policy/policies.ts'
import { doorAccessList, userAccessList } from './access-lists.ts'
import { askedMoment } from './asked-moment.ts'
import { decide } from './decide.ts'
import { makeAccessExport } from './export-access.ts'
import { type Sight, sightOf } from './sight.ts'

type Parts = Pick<ServeCall, 'serveCall'> & { database: Database; policies: Policies; now: () => number }

const itemParams = z.object({ id: z.uuid() })

/** Questions about the current policy. They change nothing but the log of exports, and return only what the request reads. */
export function registerExplorer(app: FastifyInstance, { database, policies, serveCall, now }: Parts) {
  const exportAccess = makeAccessExport(app, database)

  serveCall(app, doorAccess, async ({ access, path, query }) => {
    const { index, sight } = await seenBy(access)
    const door = doorIn(path, { index, sight })
    const { list } = await doorAccessList(index, { door, at: minuteOf(query.at), query, sight })
    return list
  })

  serveCall(app, exportDoorAccess, async ({ reply, access, path, input }) => {
    const { index, sight } = await seenBy(access)
    const door = doorIn(path, { index, sight })
    const { found, rowsOf } = await doorAccessList(index, { door, at: minuteOf(input.at), query: input, sight })
    const file = exportAccess({
      access,
      collection: users,
      of: { door: door._id },
      request: input,
      name: `people-of-door-${access.account.ref}`,
      entries: found,
      rowsOf,
      about: [{ field: 'user', title: 'Person', value: ({ user }) => user.name }],
    })
    return sendFile(reply, file)
  })

  serveCall(app, userAccess, async ({ access, path, query }) => {
    const { index, sight } = await seenBy(access)
    const user = personIn(path, sight)
    return userAccessList(index, { user, at: minuteOf(query.at), query, sight }).list
  })

  serveCall(app, exportUserAccess, async ({ reply, access, path, input }) => {
    const { index, sight } = await seenBy(access)
    const user = personIn(path, sight)
    const { found, rowsOf } = userAccessList(index, { user, at: minuteOf(input.at), query: input, sight })
    const file = exportAccess({
      access,
      collection: doors,
      of: { user: user._id },
      request: input,
      name: `doors-of-person-${access.account.ref}`,
      entries: found,
      rowsOf,
      about: [
        { field: 'door', title: 'Door', value: ({ door }) => door.name },
        { field: 'site', title: 'Site', value: ({ door }) => door.site.name },
      ],
    })
    return sendFile(reply, file)
  })

  serveCall(app, decideAccess, async ({ access, input: { at, direction, ...named } }) => {
    const { index, sight } = await seenBy(access)
    const door = doorIn({ id: named.door }, { index, sight })
    const timeZone = zoneOf(index, door.site)
    const moment = askedMoment(at, { timeZone, now: now() })
    const question = { door, direction, at: moment, who: whoIn(named, { index, sight }) }
    return decide(index, { question, timeZone, sight })
  })

  async function seenBy(access: Access): Promise<Seen> {
    const { index } = await policies.ofAccount(access.account.key)
    return { index, sight: sightOf(index, access) }
  }

  /** To the minute, so that the pages of one list belong together. */
  function minuteOf(at: string | undefined) {
    const moment = askedMoment(at, { timeZone: 'UTC', now: now() })
    return at === undefined ? moment - (moment % minuteMs) : moment
  }
}

const minuteMs = 60_000

type Seen = { index: PolicyIndex; sight: Sight }

function doorIn(params: unknown, { index, sight }: Seen) {
  const { data } = itemParams.safeParse(params)
  const door = data && sight.sees('door', data.id) ? index.doors.get(data.id) : undefined
  if (!door) throw new AppError('not_found', { collection: 'doors' })
  return door
}

function personIn(params: unknown, sight: Sight) {
  const { data } = itemParams.safeParse(params)
  const user = data && sight.sees('user', data.id) ? sight.personOf(data.id) : undefined
  if (!user) throw new AppError('not_found', { collection: 'users' })
  return user
}

type Named = { user?: string | undefined; credential?: string | undefined; number?: string | undefined }

function whoIn({ user, credential: id, number = '' }: Named, { index, sight }: Seen) {
  if (user !== undefined) return { user: personIn({ id: user }, sight)._id }
  if (id === undefined) return { number }
  const credential = sight.sees('credential', id) ? index.credentials.get(id) : undefined
  if (!credential) throw new AppError('not_found', { collection: 'credentials' })
  return { number: credential.number }
}

/** A zone that does not exist opens no schedule; its clock is that of UTC. */
function zoneOf({ sites }: PolicyIndex, site: string) {
  const timeZone = sites.get(site)?.timeZone ?? 'UTC'
  return isZone(timeZone) ? timeZone : 'UTC'
}

function isZone(timeZone: string) {
  try {
    return Temporal.Now.zonedDateTimeISO(timeZone) !== undefined
  } catch {
    return false
  }
}

type File = { type: string; fileName: string; file: NodeJS.ReadableStream }

function sendFile(reply: FastifyReply, { type, fileName, file }: File) {
  return reply.type(type).header('content-disposition', `attachment; filename="${fileName}"`).send(file)
}
