import { nameOf } from '@portcullis/contract/call'
import { calls } from '@portcullis/contract/calls/registry'
import type { Collection } from '@portcullis/contract/collection'
import { collectionCall } from '@portcullis/contract/collection-calls'
import { collections } from '@portcullis/contract/collections/registry'
import { exportNeedsFreshSignIn } from '@portcullis/contract/sensitive-fields'
import type { Route } from './document-routes.ts'
import type { Outcome } from './expected-answer.ts'
import { staleCookie } from './fresh-session.ts'
import type { Probe, Recipe } from './probe.ts'
import type { World } from './world.ts'

export const freshSignInNeeded: Outcome = { status: 403, code: 'fresh_sign_in_needed' }

/** Adds the same requests with a session that is not fresh, where the definition of the call needs a fresh one. */
export function withStaleSessions(route: Route, { recipe, world }: { recipe: Recipe; world: World }): Recipe {
  if (!needsFreshSignIn(route)) return recipe
  const probes = recipe.probes.filter(({ placement }) => placement === 'path' || placement === 'plain')
  const tried = probes.length > 0 ? probes : recipe.probes.slice(0, 1)
  return { ...recipe, probes: [...recipe.probes, ...tried.map(stale)] }

  function stale(probe: Probe): Probe {
    const { changes: _changes, undo: _undo, check: _check, ...rest } = probe
    return {
      ...rest,
      what: `${probe.what}, with a session that is not fresh`,
      async send(attempt) {
        return { ...(await probe.send({ ...attempt, succeeds: false })), ...(await staleCookie(world, attempt)) }
      },
      expects(context) {
        const fresh = probe.expects(context)
        // The header that acts inside an account needs a fresh session itself, and is read first.
        if (fresh.code === 'already_acting') return freshSignInNeeded
        return recipe.refusesBeforeFreshSignIn && fresh.status >= 300 ? fresh : freshSignInNeeded
      },
    }
  }
}

function needsFreshSignIn({ name }: Route) {
  const call = calls.find((each) => nameOf(each) === name)
  if (call) return call.needsFreshSignIn === true
  const exported = Object.values<Collection>(collections).find(
    (each) => nameOf(collectionCall(each, 'export')) === name,
  )
  return exported !== undefined && exportNeedsFreshSignIn(exported)
}
