import { bareAnswer } from './bare-answer.ts'
import { type Finding, judgeAnswer, type Scope } from './judge-answer.ts'
import type { Persona } from './personas.ts'
import { type Place, places, treeBelow } from './places.ts'
import type { Cell } from './plan-cells.ts'
import { isIn, type Probe } from './probe.ts'
import { may } from './role-table.ts'
import type { Answer, Send } from './send.ts'
import type { World } from './world.ts'

/** The result of a cell: its findings, the normalised answer, and the number of comparisons. */
export type Result = { findings: Finding[]; bare: string; comparisons: number }

/** Returns a function that sends a cell's request, judges the answer, and compares it with the answer for an absent id. */
export function makeRunCell({ world, send }: { world: World; send: Send }) {
  const twins = new Map<string, Promise<string>>()
  return runCell

  async function runCell(cell: Cell): Promise<Result> {
    const { probe, expected, context } = cell
    const { answer, sent } = await ask(cell, probe)
    const bare = bareAnswer(answer, sent)
    const findings = judgeAnswer({ world, answer, expected, scope: scopeOf(cell), sent })
    const isRight = expected.status < 300 && findings.length === 0
    if (isRight) findings.push(...checked(cell, answer))
    const twin = twinOf(cell)
    if (twin && (await bareTwin(cell, twin)) !== bare) {
      findings.push({ kind: 'distinguishable', what: `${probe.target} and absent are answered differently` })
    }
    if (isRight) await probe.undo?.(context.account)
    return { findings, bare, comparisons: twin ? 1 : 0 }
  }

  async function ask({ persona, headers, context, expected, route }: Cell, probe: Probe) {
    const succeeds = expected.status < 300
    const { path, body, cookie = persona.cookie } = await probe.send({ persona, account: context.account, succeeds })
    const session = headers.meaning.session === 'made up' ? madeUp : cookie
    const lines = [...headers.lines, ...(session === undefined ? [] : [['cookie', session] as const])]
    const answer = await send({ method: route.method, path, headers: lines, body })
    const sent = [JSON.stringify(headers.lines), decodeURIComponent(path), JSON.stringify(body)].join(' ')
    return { answer, sent }
  }

  function bareTwin({ route, persona, kind, target, variant, ...cell }: Cell, twin: Probe) {
    const key = [route.name, persona.name, kind, target, variant, twin.placement, twin.what].join('|')
    const pending =
      twins.get(key) ??
      ask({ route, persona, kind, target, variant, ...cell }, twin).then(({ answer, sent }) => bareAnswer(answer, sent))
    twins.set(key, pending)
    return pending
  }
}

/** A well-formed cookie of no session. */
const madeUp = `portcullis=${'A'.repeat(43)}`

/** The same request with an absent id, if its user may not know the cell's own id. */
function twinOf({ probe, context, isOpen, expected, recipe }: Cell) {
  const { target, knows } = probe
  if (!isOpen || target === undefined || target === 'absent') return undefined
  if (isIn(knows?.(context) ?? context.reads, target)) return undefined
  // The answers of two successful writes always differ.
  if (expected.status < 300 && !recipe.isRead) return undefined
  const { placement, what } = probe
  return recipe.probes.find(
    (other) => other.target === 'absent' && other.what === what && other.placement === placement,
  )
}

function checked({ probe, context }: Cell, answer: Answer): Finding[] {
  try {
    const found = probe.check?.(answer, context)
    return found ? [found] : []
  } catch (error) {
    return [{ kind: 'surprise', what: `the answer cannot be read: ${String(error)}` }]
  }
}

/** The content that an answer may show: nothing if the headers were refused, and never more than the recipe allows. */
function scopeOf({ entry, recipe, probe, persona, context, isOpen }: Cell): Scope {
  const { rights } = context.persona
  const hasButtons = rights !== undefined && may(rights, 'view', 'iButton')
  const of = (texts: ReadonlySet<Place>, ids = texts) => ({ texts, ids, hasButtons })
  const { account, reads, covers } = context
  const here = new Set([account])
  if (entry.is === 'refused') return of(new Set())
  if (entry.is === 'open') return of(recipe.shows === 'user' ? treesOf(persona) : new Set())
  if (!isOpen) return of(here)
  switch (recipe.shows) {
    case 'nothing':
      return of(here)
    case 'reads':
      return of(reads)
    case 'account':
      // An item may name items below its account, and a refusal may name the item that has the taken value.
      return of(
        probe.placement === 'taken' ? covers : here.union(probe.names?.(context) ?? new Set()),
        recipe.isRead ? here : treeBelow(account),
      )
    case 'user':
      return of(new Set([...covers, ...(persona.rights === 'hyper' ? [] : treesOf(persona))]))
  }
}

/** All accounts of a user. */
function treesOf({ rights }: Persona): ReadonlySet<Place> {
  if (rights === undefined) return new Set()
  return rights === 'hyper' ? new Set(places) : treeBelow('own')
}
