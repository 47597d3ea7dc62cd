import type { Route } from './document-routes.ts'
import { type Context, enter, type Entry, type Outcome } from './expected-answer.ts'
import { type HeaderKind, type Headers, headerKinds, headersOf } from './header-kinds.ts'
import { coveredFrom, type Persona } from './personas.ts'
import { headerTargets, type Target, treeBelow } from './places.ts'
import { forbidden, isIn, type Probe, type Recipe } from './probe.ts'
import type { World } from './world.ts'

/** One request of the matrix, and its expected outcome. */
export type Cell = {
  route: Route
  recipe: Recipe
  persona: Persona
  kind: HeaderKind
  /** The account that the headers name. */
  target: Target
  headers: Headers
  /** Which of the ways to name the account the headers use. */
  variant: number
  /** Equal for all accounts that the headers name, so that answers about an out-of-scope and an absent one are compared. */
  rotation: number
  entry: Entry
  context: Context
  /** Whether the headers are accepted and the role allows the call. */
  isOpen: boolean
  probe: Probe
  expected: Outcome
}

/**
 * Fixed: each route by each persona with each account in each kind of header once, and every probe at least once among the
 * admitted requests. Sampled: one eighth of these cells, for each route and persona those of one kind of header. Full: all
 * ways to name an account and all probes of every admitted persona; but the ways to name an account are tried only with
 * both locks on, and probes are shared out on routes that need no account.
 */
export type Form = 'sampled' | 'fixed' | 'full'

export type Planning = {
  world: World
  route: Route
  recipe: Recipe
  form: Form
  /** The eighth that the sampled form runs, from 0 to 7. */
  eighth: number
  locks: Locks
}

/** This many runs of the sampled form, each with another eighth, cover the fixed form once. */
export const eighths = 8

/**
 * The locks that are on. With one alone, only admitted personas make requests, because the server runs no query for others;
 * with row level security alone, probes that depend on the application's filter are left out.
 */
export type Locks = 'both' | 'row security' | 'filter'

export function planCells({ form, eighth, ...planning }: Planning): Cell[] {
  if (form !== 'sampled') return planWhole({ ...planning, form })
  return planWhole({ ...planning, form: 'fixed' }).filter(({ rotation }) => rotation % eighths === eighth)
}

type WholePlanning = Omit<Planning, 'form' | 'eighth'> & { form: 'fixed' | 'full' }

function planWhole(planning: WholePlanning): Cell[] {
  const { route, recipe, form, locks } = planning
  const places = standpoints(planning)
  const open = places.filter(({ isOpen }) => isOpen).length
  const isEach = form === 'full' && route.requires === 'account'
  const share = isEach ? recipe.probes.length : Math.ceil(recipe.probes.length / Math.max(open, 1))
  let next = 0
  return places.flatMap((place) => {
    if (!place.isOpen) return locks === 'both' ? [refusedCell(place)] : []
    const first = next
    next += share
    return Array.from({ length: share }, (_, step) => cellOf(place, first + step)).filter((cell) =>
      isPlanned(cell, locks),
    )
  })

  function cellOf(place: Standpoint, index: number): Cell {
    return withProbe(place, at(recipe.probes, index))
  }

  /** A request that would succeed with another user, account or headers. */
  function refusedCell(place: Standpoint): Cell {
    const right = recipe.probes.filter((probe) => probe.expects(place.context).status < 300)
    return withProbe(place, at(right.length > 0 ? right : recipe.probes, place.rotation))
  }
}

function withProbe(place: Standpoint, probe: Probe): Cell {
  return { ...place, probe, expected: expectedOf({ ...place, probe }) }
}

type Standpoint = Omit<Cell, 'probe' | 'expected'>

function standpoints({ world, route, recipe, form, locks }: WholePlanning): Standpoint[] {
  return world.personas.flatMap((persona, row) =>
    headerKinds.flatMap((kind, column) =>
      headerTargets.flatMap((target) => {
        const rotation = row + column + route.name.length
        const variants = headersOf(kind, { target, idOf: (other) => world.idOf(other, 'accounts') })
        return variants.flatMap((headers, variant) => {
          const isOne = form !== 'full' || locks !== 'both'
          if (isOne && headers !== at(variants, rotation)) return []
          const entry = enter({ route, persona, meaning: headers.meaning })
          const context = entry.is === 'in' ? entry.context : atHome(persona)
          const { rights } = context.persona
          const isAllowed = rights !== undefined && recipe.allows(rights)
          const isOpen = entry.is === 'open' || (entry.is === 'in' && isAllowed)
          return [{ route, recipe, persona, kind, target, headers, variant, entry, context, isOpen, rotation }]
        })
      }),
    ),
  )
}

/** The place where a refused user would act with correct headers. */
function atHome(persona: Persona): Context {
  return { persona, account: 'own', reads: new Set(['own']), covers: coveredFrom('own', persona), isAssumed: false }
}

function expectedOf({ entry, isOpen, context, probe }: Pick<Cell, 'entry' | 'isOpen' | 'context' | 'probe'>): Outcome {
  if (entry.is === 'refused') return entry.outcome
  return isOpen ? probe.expects(context) : (probe.isReadFirst ?? forbidden)
}

/** For writes, row level security also admits the accounts below, which only the application's filter separates. */
function isPlanned({ probe, context }: Cell, locks: Locks) {
  const { target, isNarrowedByFilter } = probe
  if (locks !== 'row security' || target === undefined || target === context.account) return true
  const isBelow = isIn(treeBelow(context.account), target)
  return !isBelow || (!isNarrowedByFilter && isIn(context.covers, target))
}

function at<T>(all: readonly T[], index: number): T {
  const found = all[index % all.length]
  if (found === undefined) throw new Error('there is nothing to choose from')
  return found
}
