import type { Subject } from '@portcullis/contract/abilities'
import {
  type DecideAccess,
  type DoorAccess,
  decideAccess,
  doorAccess,
  type UserAccess,
  userAccess,
} from '@portcullis/contract/calls/explorer'
import { doors } from '@portcullis/contract/collections/doors'
import { users } from '@portcullis/contract/collections/users'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import type { AccessOf } from '../http/access-of.ts'
import { AppError } from '../errors/app-error.ts'
import { parseInput } from '../input/parse-input.ts'
import type { Policies } from '../policy/policies.ts'
import { doorAccessList, userAccessList } from './access-lists.ts'
import { askedMoment } from './asked-moment.ts'
import { decide } from './decide.ts'
import { makeAccessExport } from './export-access.ts'
import { type Sight, sightOf } from './sight.ts'

type Parts = { database: Database; policies: Policies; accessOf: AccessOf; now: () => number }

const itemParams = z.object({ id: z.uuid() })

/** What the answers tell of: the rules, the doors that they name and the people. */
const subjects: readonly Subject[] = ['Access Control', 'Sites', 'Users']

/** Questions to the policy in force. They change nothing but the log of exports, and tell of nothing that the request does not read. */
export function registerExplorer(app: FastifyInstance, { database, policies, accessOf, now }: Parts) {
  const exportAccess = makeAccessExport(app, database)

  app.get('/api/doors/:id/access', async (request): Promise<DoorAccess> => {
    const { index, sight } = await asked(request)
    const door = doorIn(request.params, { index, sight })
    const query = parseInput(doorAccess.query, request.query)
    const { list } = await doorAccessList(index, { door, at: minuteOf(query.at), query, sight })
    return list
  })

  app.post('/api/doors/:id/access/export', async (request, reply) => {
    const { index, sight, access } = await asked(request)
    const door = doorIn(request.params, { index, sight })
    const wanted = parseInput(doorAccess.export, request.body)
    const { found, rowsOf } = await doorAccessList(index, { door, at: minuteOf(wanted.at), query: wanted, sight })
    const file = exportAccess({
      access,
      collection: users,
      of: { door: door._id },
      request: wanted,
      name: `people-of-door-${access.account.ref}`,
      entries: found,
      rowsOf,
      about: [{ field: 'user', title: 'Person', value: ({ user }) => user.name }],
    })
    return sendFile(reply, file)
  })

  app.get('/api/users/:id/access', async (request): Promise<UserAccess> => {
    const { index, sight } = await asked(request)
    const user = personIn(request.params, sight)
    const query = parseInput(userAccess.query, request.query)
    return userAccessList(index, { user, at: minuteOf(query.at), query, sight }).list
  })

  app.post('/api/users/:id/access/export', async (request, reply) => {
    const { index, sight, access } = await asked(request)
    const user = personIn(request.params, sight)
    const wanted = parseInput(userAccess.export, request.body)
    const { found, rowsOf } = userAccessList(index, { user, at: minuteOf(wanted.at), query: wanted, sight })
    const file = exportAccess({
      access,
      collection: doors,
      of: { user: user._id },
      request: wanted,
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

  app.post('/api/explorer/decide', async (request): Promise<DecideAccess> => {
    const { index, sight } = await asked(request)
    const { at, direction, ...named } = parseInput(decideAccess.input, request.body)
    const door = doorIn({ id: named.door }, { index, sight })
    const timeZone = zoneOf(index, door.site)
    const moment = askedMoment(at, { timeZone, now: now() })
    const question = { door, direction, at: moment, who: whoIn(named, { index, sight }) }
    return decide(index, { question, timeZone, sight })
  })

  async function asked(request: FastifyRequest): Promise<{ access: Access; index: PolicyIndex; sight: Sight }> {
    const access = await accessOf(request)
    for (const subject of subjects) demand(access, { action: 'view', subject })
    const { index } = await policies.ofAccount(access.account.key)
    return { access, index, sight: sightOf(index, access) }
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
  if (!door) throw new AppError('not_found', 'There is no such door.')
  return door
}

function personIn(params: unknown, sight: Sight) {
  const { data } = itemParams.safeParse(params)
  const user = data && sight.sees('user', data.id) ? sight.personOf(data.id) : undefined
  if (!user) throw new AppError('not_found', 'There is no such person.')
  return user
}

type Named = { user?: string | undefined; credential?: string | undefined; number?: string | undefined }

function whoIn({ user, credential: id, number = '' }: Named, { index, sight }: Seen) {
  if (user !== undefined) return { user: personIn({ id: user }, sight)._id }
  if (id === undefined) return { number }
  const credential = sight.sees('credential', id) ? index.credentials.get(id) : undefined
  if (!credential) throw new AppError('not_found', 'There is no such credential.')
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
