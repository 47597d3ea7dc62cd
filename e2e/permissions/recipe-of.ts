import type { Subject } from '@portcullis/contract/abilities'
import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { metaOf } from '@portcullis/contract/fields'
import { callRecipes } from './call-recipes.ts'
import type { Route } from './document-routes.ts'
import type { Probe, Recipe } from './probe.ts'
import { getProbes, readProbes } from './read-probes.ts'
import { may, subjectOf } from './role-table.ts'
import type { World } from './world.ts'
import { createProbes, deleteProbes, patchProbes } from './write-probes.ts'

/** What the matrix asks a route, or an error that names a route which it does not know. */
export function recipeOf(route: Route, world: World): Recipe {
  const recipe = callRecipes(world)[route.name] ?? genericRecipe(route, world)
  if (recipe) return recipe
  throw new Error(`${route.name}: the matrix does not know this route. Say in call-recipes.ts what is asked of it.`)
}

function genericRecipe({ method, path }: Route, world: World): Recipe | undefined {
  const [, first, verb = ''] = /^\/api\/(\w+)(?:\/(\{id\}|count|aggregate|export|group\/\{id\}))?$/.exec(path) ?? []
  const collection = Object.values<Collection>(collections).find((each) => each.name === first)
  if (!collection) return undefined
  const subject = subjectOf(collection)
  const read = { world, collection }
  switch (`${method} ${verb}`) {
    case 'GET ':
      return reading(subject, readProbes({ ...read, reading: 'list' }))
    case 'GET count':
      return reading(subject, readProbes({ ...read, reading: 'count' }))
    case 'GET aggregate':
      return reading(subject, readProbes({ ...read, reading: 'aggregate' }))
    case 'POST export':
      // That a list was exported may stand in the audit log of the account.
      return { ...reading(subject, readProbes({ ...read, reading: 'export' })), changes: 'account' }
    case 'GET {id}':
      return reading(subject, getProbes(read))
    case 'GET group/{id}':
      return groupReading(subject, read)
    case 'POST ':
      return writing(subject, createProbes(read))
    case 'PATCH {id}':
      return writing(subject, patchProbes(read))
    case 'DELETE {id}':
      return writing(subject, deleteProbes(read))
    default:
      return undefined
  }
}

function reading(subject: Subject, probes: readonly Probe[]): Recipe {
  return { allows: (rights) => may(rights, 'view', subject), shows: 'reads', isRead: true, probes }
}

function writing(subject: Subject, probes: readonly Probe[]): Recipe {
  return { allows: (rights) => may(rights, 'manage', subject), shows: 'account', isRead: false, probes }
}

/** Who lists the members of a group sees both the group and what is in it. */
function groupReading(subject: Subject, read: { world: World; collection: Collection }): Recipe | undefined {
  const groups = Object.values<Collection>(collections).find(
    ({
      fields: {
        optional: { members },
      },
    }) => {
      const meta = members && metaOf(members)
      return meta?.kind === 'links' && meta.of.some(({ collection }) => collection === read.collection.name)
    },
  )
  const other = groups && subjectOf(groups)
  if (!other) return undefined
  return {
    ...reading(subject, readProbes({ ...read, reading: 'group', groups })),
    allows: (rights) => may(rights, 'view', subject) && may(rights, 'view', other),
  }
}
