import { nameOf, pathOf } from '@portcullis/contract/call'
import {
  createSavedView,
  deleteSavedView,
  patchSavedView,
  rememberColumns,
  savedViews,
} from '@portcullis/contract/calls/saved-views'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import type { Context, Outcome } from './expected-answer.ts'
import { canaryOf } from './marks.ts'
import type { Persona } from './personas.ts'
import type { Place } from './places.ts'
import { type Attempt, atEach, badRequest, created, done, forbidden, notFound, ok, type Recipe } from './probe.ts'
import { may } from './role-table.ts'
import type { World } from './world.ts'

const ofAnother: Outcome = { status: 403, code: 'view_of_another' }

/** Views of the site list: each belongs to its owner, and a shared view to all users who see the list in the account. */
export function viewRecipes(world: World): Record<string, Recipe> {
  const viewers = { allows: (rights: NonNullable<Persona['rights']>) => may(rights, 'view', 'Sites') }
  const manages = ({ persona: { rights } }: Context) => rights !== undefined && may(rights, 'manage', 'Sites')
  const accountAlone = ({ account }: Context) => new Set([account])
  return {
    [nameOf(savedViews)]: {
      ...viewers,
      shows: 'account',
      isRead: true,
      probes: [
        {
          placement: 'plain',
          what: 'a list',
          send: () => ({ path: `${savedViews.path}?list=sites` }),
          expects: () => ok,
        },
      ],
    },
    [nameOf(createSavedView)]: {
      ...viewers,
      shows: 'account',
      isRead: false,
      probes: [
        { placement: 'plain', what: 'a view', send: (attempt) => save(attempt, {}), expects: () => created },
        {
          placement: 'body',
          what: 'a shared one',
          send: (attempt) => save(attempt, { shared: true }),
          expects: (context) => (manages(context) ? created : forbidden),
        },
        ...atEach((target) => ({
          placement: 'body',
          what: 'account',
          send: (attempt) => save(attempt, { account: world.idOf(target, 'accounts') }),
          expects: () => badRequest,
          isReadFirst: badRequest,
        })),
      ],
    },
    [nameOf(patchSavedView)]: {
      allows: () => true,
      shows: 'account',
      isRead: false,
      probes: [
        ...atEach((target) => ({
          placement: 'path',
          what: 'another user’s',
          send: ({ account }) => ({
            path: pathOf(patchSavedView, { id: world.idOf(target, 'savedViews') }),
            body: { name: nameIn(account) },
          }),
          expects: ({ account }) => (target === account ? ofAnother : notFound),
          knows: accountAlone,
        })),
        {
          placement: 'path',
          what: 'their own',
          send: async (attempt) => ({
            path: pathOf(patchSavedView, { id: await ownView(attempt) }),
            body: { name: nameIn(attempt.account) },
          }),
          expects: () => ok,
        },
      ],
    },
    [nameOf(deleteSavedView)]: {
      allows: () => true,
      shows: 'account',
      isRead: false,
      probes: [
        ...atEach((target) => ({
          placement: 'path',
          what: 'a shared one',
          send: async ({ account, succeeds }) => {
            const isFresh = succeeds && target === account
            const fresh = isFresh ? await keep(account, { owner: world.server.userId, shared: true }) : undefined
            return { path: pathOf(deleteSavedView, { id: fresh ?? world.idOf(target, 'savedViews') }) }
          },
          expects: (context) => {
            if (target !== context.account) return notFound
            return manages(context) ? done : forbidden
          },
          knows: accountAlone,
        })),
        {
          placement: 'path',
          what: 'their own',
          send: async (attempt) => ({ path: pathOf(deleteSavedView, { id: await ownView(attempt) }) }),
          expects: () => done,
        },
      ],
    },
    [nameOf(rememberColumns)]: {
      ...viewers,
      shows: 'nothing',
      isRead: false,
      probes: [
        {
          placement: 'plain',
          what: 'columns',
          send: () => ({ path: rememberColumns.path, body: { list: 'sites', columns: ['name'] } }),
          expects: () => done,
        },
      ],
    },
  }

  /** First deletes the user's earlier views in the account, because the server limits their number. */
  async function save({ account, persona, succeeds }: Attempt, more: Record<string, unknown>) {
    if (succeeds) {
      await world.server.database.asSystem((tx) =>
        tx.run(
          sql`delete from saved_view
               where saved_view_owner = ${persona.userId} and saved_view_account = ${world.keyOf(account)}`,
        ),
      )
    }
    return { path: createSavedView.path, body: { list: 'sites', name: nameIn(account), query: {}, ...more } }
  }

  async function ownView({ account, persona, succeeds }: Attempt) {
    if (!succeeds) return world.idOf(account, 'savedViews')
    return keep(account, { owner: persona.userId, shared: false })
  }

  async function keep(account: Place, { owner, shared }: { owner: string; shared: boolean }) {
    const id = uuidv7()
    await world.server.database.asSystem((tx) =>
      tx.run(sql`insert into saved_view (saved_view_id, saved_view_account, saved_view_owner, saved_view_list,
          saved_view_name, saved_view_query, saved_view_shared)
        values (${id}, ${world.keyOf(account)}, ${owner}, 'sites', ${nameIn(account)}, '{}', ${shared})`),
    )
    return id
  }

  function nameIn(account: Place) {
    return `${canaryOf(account)}-view-${uuidv7()}`
  }
}
