import type { Subject } from '@portcullis/contract/abilities'
import { nameOf } from '@portcullis/contract/call'
import type { Collection } from '@portcullis/contract/collection'
import { type CollectionVerb, collectionCall, collectionCalls } from '@portcullis/contract/collection-calls'
import { collections } from '@portcullis/contract/collections/registry'
import { keysOf } from '@portcullis/contract/fields'
import { groupKindsOf } from '@portcullis/contract/group-lookups'
import { callRecipes } from './call-recipes.ts'
import type { Route } from './document-routes.ts'
import type { Probe, Recipe } from './probe.ts'
import { getProbes, noGroupProbes, readProbes } from './read-probes.ts'
import { may, subjectOf } from './role-table.ts'
import { withStaleSessions } from './stale-sessions.ts'
import type { World } from './world.ts'
import { createProbes, deleteProbes, patchProbes, refusedProbes } from './write-probes.ts'

/** The recipe of a route; throws an error that names the route if there is none. */
export function recipeOf(route: Route, world: World): Recipe {
  const recipe = callRecipes(world)[route.name] ?? genericRecipe(route, world)
  if (recipe) return withStaleSessions(route, { recipe, world })
  throw new Error(`${route.name}: the matrix does not know this route. Add its requests to call-recipes.ts.`)
}

function genericRecipe({ method, path }: Route, world: World): Recipe | undefined {
  const verbs = keysOf(collectionCalls)
  for (const collection of Object.values<Collection>(collections)) {
    const verb = verbs.find((each) => nameOf(collectionCall(collection, each)) === `${method} ${path}`)
    if (verb) return recipeOfVerb(verb, { world, collection })
  }
  return undefined
}

function recipeOfVerb(verb: CollectionVerb, read: { world: World; collection: Collection }): Recipe | undefined {
  if (read.collection.readOnly && isWrite(verb)) return refusing(refusedProbes(read, verb))
  const subject = subjectOf(read.collection)
  switch (verb) {
    case 'list':
      return reading(subject, readProbes({ ...read, reading: 'list' }))
    case 'count':
      return reading(subject, readProbes({ ...read, reading: 'count' }))
    case 'aggregate':
      return reading(subject, readProbes({ ...read, reading: 'aggregate' }))
    case 'export':
      // An export may add an entry to the account's audit log.
      return { ...reading(subject, readProbes({ ...read, reading: 'export' })), changes: 'account' }
    case 'get':
      return reading(subject, getProbes(read))
    case 'group':
      return groupReading(subject, read)
    case 'create':
      return writing(subject, createProbes(read))
    case 'patch':
      return writing(subject, patchProbes(read))
    case 'delete':
      return writing(subject, deleteProbes(read))
  }
}

function reading(subject: Subject, probes: readonly Probe[]): Recipe {
  return { allows: (rights) => may(rights, 'view', subject), shows: 'reads', isRead: true, probes }
}

function writing(subject: Subject, probes: readonly Probe[]): Recipe {
  return { allows: (rights) => may(rights, 'manage', subject), shows: 'account', isRead: false, probes }
}

/** A log refuses writes of every user alike. */
function refusing(probes: readonly Probe[]): Recipe {
  return { allows: () => true, shows: 'nothing', isRead: true, probes }
}

function isWrite(verb: CollectionVerb) {
  return verb === 'create' || verb === 'patch' || verb === 'delete'
}

/** Listing the items of a group requires the right to view both; collections without groups refuse every user alike. */
function groupReading(subject: Subject, read: { world: World; collection: Collection }): Recipe {
  const [groups] = groupKindsOf(read.collection)
  if (!groups) return refusing(noGroupProbes(read))
  const other = subjectOf(groups)
  return {
    ...reading(subject, readProbes({ ...read, reading: 'group', groups })),
    allows: (rights) => may(rights, 'view', subject) && may(rights, 'view', other),
  }
}
