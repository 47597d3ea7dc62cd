import { bareAnswer } from './bare-answer.ts'
import { type Finding, judgeAnswer, type Scope } from './judge-answer.ts'
import type { Persona } from './personas.ts'
import { type Place, places, treeBelow } from './places.ts'
import type { Cell } from './plan-cells.ts'
import { isIn, type Probe } from './probe.ts'
import { may } from './role-table.ts'
import type { Answer, Send } from './send.ts'
import type { World } from './world.ts'

/** What a cell was answered: what is wrong with it, the answer less what it merely says back, and how often that was compared. */
export type Result = { findings: Finding[]; bare: string; comparisons: number }

/** Makes what sends a cell's request, judges the answer, and holds it against what an absent id is answered. */
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
      findings.push({ kind: 'telling apart', what: `${probe.target} and absent are answered differently` })
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
    const known =
      twins.get(key) ??
      ask({ route, persona, kind, target, variant, ...cell }, twin).then(({ answer, sent }) => bareAnswer(answer, sent))
    twins.set(key, known)
    return known
  }
}

/** The token of no session at all. */
const madeUp = `portcullis=${'A'.repeat(43)}`

/** The same question with an absent id, where the cell's own is out of its asker's knowledge. */
function twinOf({ probe, context, isOpen, expected, recipe }: Cell) {
  const { target, knows } = probe
  if (!isOpen || target === undefined || target === 'absent') return undefined
  if (isIn(knows?.(context) ?? context.reads, target)) return undefined
  // Two new items are never the same.
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
    return [{ kind: 'surprise', what: `the answer can not be read: ${String(error)}` }]
  }
}

/** What an answer may show: nothing, where the request was refused at the door, and never more than its recipe says. */
function scopeOf({ entry, recipe, probe, persona, context, isOpen }: Cell): Scope {
  const { rights } = context.persona
  const hasButtons = rights !== undefined && may(rights, 'view', 'iButton')
  const of = (texts: ReadonlySet<Place>, ids = texts) => ({ texts, ids, hasButtons })
  const { account, reads, covers } = context
  const here = new Set([account])
  if (entry.is === 'refused') return of(new Set())
  if (entry.is === 'open') return of(recipe.shows === 'person' ? treesOf(persona) : new Set())
  if (!isOpen) return of(here)
  switch (recipe.shows) {
    case 'nothing':
      return of(here)
    case 'reads':
      return of(reads)
    case 'account':
      // An item may name what lies below its account, and a refusal who has what is taken.
      return of(
        probe.placement === 'taken' ? covers : here.union(probe.names?.(context) ?? new Set()),
        recipe.isRead ? here : treeBelow(account),
      )
    case 'person':
      return of(new Set([...covers, ...(persona.rights === 'hyper' ? [] : treesOf(persona))]))
  }
}

/** The accounts that are somebody's at all. */
function treesOf({ rights }: Persona): ReadonlySet<Place> {
  if (rights === undefined) return new Set()
  return rights === 'hyper' ? new Set(places) : treeBelow('own')
}
