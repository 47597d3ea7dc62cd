import type { Route } from './document-routes.ts'
import { type Context, enter, type Entry, type Outcome } from './expected-answer.ts'
import { type HeaderKind, type Headers, headerKinds, headersOf } from './header-kinds.ts'
import { coveredFrom, type Persona } from './personas.ts'
import { headerTargets, type Target, treeBelow } from './places.ts'
import { forbidden, isIn, type Probe, type Recipe } from './probe.ts'
import type { World } from './world.ts'

/** One request of the matrix, and what it ought to be answered. */
export type Cell = {
  route: Route
  recipe: Recipe
  persona: Persona
  kind: HeaderKind
  /** The account that the headers name, and how. */
  target: Target
  headers: Headers
  /** Tells the ways of naming an account apart. */
  variant: number
  /** The same for all accounts that the headers name, so that an answer about one out of scope can be held against an absent one. */
  rotation: number
  entry: Entry
  context: Context
  /** Whether what is asked for is looked at, and not refused before. */
  isOpen: boolean
  probe: Probe
  expected: Outcome
}

/**
 * Fixed: each route by each persona with each account in each kind of header, once, and among those that are let in every
 * probe at least once. Sampled: one eighth of those cells, of each route and persona those with one kind of header. Full: all ways
 * of naming an account, and all probes of every persona that is let in; except that the ways of naming an account are tried only
 * with both locks on, and probes are shared out where no account is asked for.
 */
export type Form = 'sampled' | 'fixed' | 'full'

export type Planning = {
  world: World
  route: Route
  recipe: Recipe
  form: Form
  /** Which eighth the sampled form asks, from 0 to 7. */
  eighth: number
  locks: Locks
}

/** So many runs of the sampled form, each of another eighth, ask what one of the fixed form asks. */
export const eighths = 8

/**
 * Which locks are on. With one alone, only those are asked who are let in, for no query is made for others; and with row
 * level security alone, nothing that only the application's filter keeps apart.
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
  const isEach = form === 'full' && route.asks === 'account'
  const share = isEach ? recipe.probes.length : Math.ceil(recipe.probes.length / Math.max(open, 1))
  let next = 0
  return places.flatMap((place) => {
    if (!place.isOpen) return locks === 'both' ? [refusedCell(place)] : []
    const first = next
    next += share
    return Array.from({ length: share }, (_, step) => cellOf(place, first + step)).filter((cell) =>
      isAsked(cell, locks),
    )
  })

  function cellOf(place: Standpoint, index: number): Cell {
    return withProbe(place, at(recipe.probes, index))
  }

  /** Asks for something that would be given, were it not for who asks, where and how. */
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

/** Where somebody would stand who is refused, had they come rightly. */
function atHome(persona: Persona): Context {
  return { persona, account: 'own', reads: new Set(['own']), covers: coveredFrom('own', persona), isAssumed: false }
}

function expectedOf({ entry, isOpen, context, probe }: Pick<Cell, 'entry' | 'isOpen' | 'context' | 'probe'>): Outcome {
  if (entry.is === 'refused') return entry.outcome
  return isOpen ? probe.expects(context) : (probe.isReadFirst ?? forbidden)
}

/** What lies below the account is in sight of row level security where somebody writes: there only the filter narrows. */
function isAsked({ probe, context }: Cell, locks: Locks) {
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
