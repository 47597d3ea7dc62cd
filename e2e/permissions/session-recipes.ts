import { nameOf, pathOf } from '@portcullis/contract/call'
import { accountHierarchy, login, logout, whoAmI } from '@portcullis/contract/calls/authentication'
import { forgotPassword, resetPassword } from '@portcullis/contract/calls/password-reset'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Outcome } from './expected-answer.ts'
import { freshCookie } from './fresh-session.ts'
import { hashOfToken, makeToken } from '@portcullis/server/sessions/token'
import { password } from '@portcullis/server/test-server'
import type { Place, Target } from './places.ts'
import { type Attempt, atEach, badRequest, done, ok, type Probe, type Recipe } from './probe.ts'
import type { World } from './world.ts'

const wrong: Outcome = { status: 403, code: 'wrong_credentials' }
const linkEnded: Outcome = { status: 422, code: 'link_ended' }
const noPlaces: ReadonlySet<Place> = new Set()

/** Signing in and out, the user's identity, and forgotten passwords. */
export function sessionRecipes(world: World): Record<string, Recipe> {
  const { database } = world.server
  const openToAll = { allows: () => true, isRead: false } as const
  return {
    [nameOf(login)]: { ...openToAll, shows: 'user', probes: loginProbes() },
    [nameOf(logout)]: {
      ...openToAll,
      shows: 'nothing',
      probes: [{ placement: 'plain', what: 'a session', send: signOut, expects: () => done }],
    },
    [nameOf(whoAmI)]: { ...openToAll, isRead: true, shows: 'user', probes: [page(whoAmI.path)] },
    [nameOf(accountHierarchy)]: {
      ...openToAll,
      isRead: true,
      shows: 'user',
      probes: [page(accountHierarchy.path)],
    },
    [nameOf(forgotPassword)]: { ...openToAll, shows: 'nothing', probes: forgotProbes() },
    [nameOf(resetPassword)]: {
      ...openToAll,
      shows: 'nothing',
      changes: 'own',
      needsNewUser: true,
      probes: resetProbes(),
    },
  }

  function page(path: string): Probe {
    return { placement: 'plain', what: 'the page', send: () => ({ path }), expects: () => ok }
  }

  function loginProbes(): Probe[] {
    const { path } = login
    return [
      {
        placement: 'plain',
        what: 'their own password',
        send: async (attempt) => ({
          path,
          body: { email: attempt.persona.email, password },
          ...(await lastingCookie(attempt)),
        }),
        expects: () => ok,
      },
      ...atEach((target) => ({
        placement: 'body',
        what: 'a wrong password',
        // A failed sign-in ends the session of its browser too.
        send: async (attempt) => {
          await database.asSystem((tx) => tx.run(sql`delete from sign_in_failure`))
          const body = { email: emailOf(target), password: 'no such password' }
          return { path, body, ...(await freshCookie(world, attempt)) }
        },
        expects: () => wrong,
        knows: () => noPlaces,
      })),
    ]
  }

  async function signOut(attempt: Attempt) {
    return { path: logout.path, ...(await lastingCookie(attempt)) }
  }

  /** A separate session for a call that ends one, so that the persona's session stays active. */
  async function lastingCookie(attempt: Attempt) {
    return attempt.succeeds ? freshCookie(world, attempt) : {}
  }

  function forgotProbes(): Probe[] {
    const { path } = forgotPassword
    return [
      ...atEach((target) => ({
        placement: 'filter',
        what: 'an email',
        send: () => ({ path: `${path}?${new URLSearchParams({ email: emailOf(target) }).toString()}` }),
        expects: () => done,
        knows: () => noPlaces,
      })),
      { placement: 'filter', what: 'no email', send: () => ({ path }), expects: () => badRequest },
    ]
  }

  function resetProbes(): Probe[] {
    const body = { password: 'seven quiet lighthouses' }
    const path = (target: Target, token: string) => pathOf(resetPassword, { id: world.idOf(target, 'users'), token })
    return [
      ...atEach((target) => ({
        placement: 'path',
        what: 'a link that never was',
        send: () => ({ path: path(target, makeToken()), body }),
        expects: () => linkEnded,
        knows: () => noPlaces,
      })),
      ...atEach((target) => ({
        placement: 'path',
        what: 'the link of another',
        send: async () => ({ path: path(target, await linkFor(world.server.userId)), body }),
        expects: () => linkEnded,
        knows: () => noPlaces,
      })),
      {
        placement: 'plain',
        what: 'their link',
        send: async ({ succeeds }) => {
          const person = succeeds ? await world.makeItem('own', 'users') : world.idOf('own', 'users')
          return { path: pathOf(resetPassword, { id: person, token: await linkFor(person) }), body }
        },
        expects: () => done,
      },
    ]
  }

  async function linkFor(person: string) {
    const token = makeToken()
    await database.asSystem((tx) =>
      tx.run(sql`insert into password_reset (password_reset_token_hash, password_reset_person, password_reset_address,
          password_reset_expires_at)
        values (${hashOfToken(token)}, ${person}, '127.0.0.1', now() + interval '1 hour')`),
    )
    return token
  }

  function emailOf(target: Target) {
    return target === 'absent' ? 'zebra@people.example' : z.string().parse(world.itemOf(target, 'users')['email'])
  }
}
