import { nameOf, pathOf } from '@portcullis/contract/call'
import { actionRemoteAuth, askAtDoor, noteDecision, withdrawRequest } from '@portcullis/contract/calls/remote-access'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import type { Context } from './expected-answer.ts'
import { canaryOf } from './marks.ts'
import type { Persona } from './personas.ts'
import type { Place } from './places.ts'
import { atEach, badRequest, created, done, forbidden, notFound, ok, type Probe, type Recipe } from './probe.ts'
import { may } from './role-table.ts'
import type { World } from './world.ts'

/**
 * Every role may request access at a door of the account, and withdraw its own request; users who may manage RemoteAuth
 * there decide, withdraw requests of others, and add notes to decisions.
 */
export function remoteAccessRecipes(world: World): Record<string, Recipe> {
  const accountAlone = ({ account }: Context) => new Set([account])
  const ask = (door: string) => ({
    path: askAtDoor.path,
    body: { type: 'RemoteAuthRequest', door, data: { expiresAfterSeconds: 5 } },
  })
  const withdrawal = (id: string) => ({ path: pathOf(withdrawRequest, { id }) })
  const mayDecide = ({ rights }: Persona) => rights !== undefined && may(rights, 'manage', 'RemoteAuth')
  return {
    [nameOf(askAtDoor)]: {
      allows: () => true,
      // The answer names the requesting and the deciding user, who belong to `own` wherever they act.
      shows: 'user',
      isRead: false,
      probes: [
        ...atEach((target) => ({
          placement: 'body',
          what: 'door',
          send: () => ask(world.idOf(target, 'doors')),
          expects: ({ account }) => (target === account ? created : notFound),
          knows: accountAlone,
          undo: endRequests,
        })),
        { placement: 'plain', what: 'no door', send: () => ask('zebra'), expects: () => badRequest },
      ],
    },
    [nameOf(actionRemoteAuth)]: {
      allows: (rights) => may(rights, 'manage', 'RemoteAuth'),
      shows: 'user',
      isRead: false,
      probes: [
        ...atEach(
          (target): Omit<Probe, 'target'> => ({
            placement: 'path',
            what: 'id',
            send: async ({ account, succeeds }) => {
              const isFresh = succeeds && target === account
              const id = isFresh ? await storeRequest(account) : world.idOf(target, 'tasks')
              return { path: pathOf(actionRemoteAuth, { id }), body: { grant: false } }
            },
            expects: ({ account }) => (target === account ? ok : notFound),
            knows: accountAlone,
          }),
        ),
        {
          placement: 'path',
          what: 'no id',
          send: () => ({ path: pathOf(actionRemoteAuth, { id: 'zebra' }), body: { grant: false } }),
          expects: () => notFound,
        },
      ],
    },
    [nameOf(withdrawRequest)]: {
      allows: () => true,
      shows: 'user',
      isRead: false,
      probes: [
        ...atEach(
          (target): Omit<Probe, 'target'> => ({
            placement: 'path',
            what: 'id',
            send: async ({ account, succeeds }) => {
              const isFresh = succeeds && target === account
              return withdrawal(isFresh ? await storeRequest(account) : world.idOf(target, 'tasks'))
            },
            expects: ({ account, persona }) => {
              if (!mayDecide(persona)) return forbidden
              return target === account ? done : notFound
            },
            knows: accountAlone,
          }),
        ),
        {
          placement: 'path',
          what: 'id of an own request',
          send: async ({ account, persona: { userId: user }, succeeds }) =>
            withdrawal(succeeds ? await storeRequest(account, { user }) : world.idOf(account, 'tasks')),
          expects: () => done,
        },
        { placement: 'path', what: 'no id', send: () => withdrawal('zebra'), expects: () => notFound },
      ],
    },
    [nameOf(noteDecision)]: {
      allows: (rights) => may(rights, 'manage', 'RemoteAuth'),
      shows: 'user',
      isRead: false,
      probes: [
        ...atEach(
          (target): Omit<Probe, 'target'> => ({
            placement: 'path',
            what: 'id',
            send: async ({ account, succeeds }) => {
              const isFresh = succeeds && target === account
              const id = isFresh ? await storeRequest(account, { status: 'Denied' }) : world.idOf(target, 'tasks')
              return { path: pathOf(noteDecision, { id }), body: { note: 'Seen on camera' } }
            },
            expects: ({ account }) => (target === account ? ok : notFound),
            knows: accountAlone,
          }),
        ),
        {
          placement: 'path',
          what: 'no id',
          send: () => ({ path: pathOf(noteDecision, { id: 'zebra' }), body: { note: 'Seen on camera' } }),
          expects: () => notFound,
        },
      ],
    },
  }

  /** Ends the open requests of the account and moves them a minute into the past, so that the next one is below all limits. */
  async function endRequests(account: Place) {
    const [key, fixture] = [world.keyOf(account), world.idOf(account, 'tasks')]
    await world.server.database.asSystem(async (tx) => {
      await tx.run(sql`update task set task_status = 'Expired'
        where task_account = ${key} and task_status = 'Requested' and task_id <> ${fixture}`)
      await tx.run(sql`update history set history_at = history_at - interval '1 minute'
        where history_account = ${key} and history_collection = 'tasks' and history_action = 'create'`)
    })
  }

  /** A request is decided and withdrawn only once, so each successful probe takes a new one. */
  async function storeRequest(account: Place, { user = world.idOf(account, 'users'), status = 'Requested' } = {}) {
    const id = uuidv7()
    const canary = `${canaryOf(account)}-task`
    const data = JSON.stringify({ expiresAfterSeconds: 600, authAction: 'unlockOnce' })
    await world.server.database.asSystem((tx) =>
      tx.run(sql`insert into task (task_id, task_account, task_type, task_status, task_user, task_user_name, task_door,
          task_door_name, task_site_name, task_expires_at, task_data, task_decided_by)
        values (${id}, ${world.keyOf(account)}, 'RemoteAuthRequest', ${status}, ${user}, ${canary},
          ${world.idOf(account, 'doors')}, ${canary}, ${canary}, now() + interval '1 hour', ${data},
          ${status === 'Requested' ? null : world.idOf(account, 'users')})`),
    )
    return id
  }
}
