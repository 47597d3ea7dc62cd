import type { Outcome } from './expected-answer.ts'
import { marksOf, neverReturned } from './marks.ts'
import { type Place, places } from './places.ts'
import type { Answer } from './send.ts'
import type { World } from './world.ts'

/** Findings that are a fault for any user and any request. */
export const crossingKinds = ['leak', 'outside change', 'distinguishable', 'forbidden success', 'failure'] as const
/** A surprise is not a crossing, but the matrix and the server disagree, so the result proves nothing. */
export type FindingKind = (typeof crossingKinds)[number] | 'surprise'
export type Finding = { kind: FindingKind; what: string }

/** The content that an answer may show: texts and ids of rows of these accounts, and iButton numbers. */
export type Scope = { texts: ReadonlySet<Place>; ids: ReadonlySet<Place>; hasButtons: boolean }

type Judged = {
  world: World
  answer: Answer
  expected: Outcome
  scope: Scope
  /** Everything that was sent, as text: an answer may repeat it. */
  sent: string
}

/** Compares an answer with what it may show and with the expected outcome. */
export function judgeAnswer(judged: Judged): Finding[] {
  const { answer, expected } = judged
  const leaks = leaksIn(judged).map((what) => ({ kind: 'leak' as const, what: `the answer has ${what}` }))
  const code = codeOf(answer)
  if (answer.status === expected.status && (expected.code === undefined || expected.code === code)) return leaks
  const what = `${answer.status} ${code ?? ''} instead of ${expected.status} ${expected.code ?? ''}`
  return [...leaks, { kind: kindOf(answer, expected), what }]
}

function kindOf(answer: Answer, expected: Outcome): FindingKind {
  if (answer.status >= 500) return 'failure'
  return answer.status < 300 && expected.status >= 400 ? 'forbidden success' : 'surprise'
}

function codeOf({ status, text }: Answer) {
  return status < 400 ? undefined : /"code":"(\w+)"/.exec(text)?.[1]
}

function leaksIn({ world, answer, scope, sent }: Judged): string[] {
  const text = readable(answer)
  const texts = places.flatMap((place) =>
    marksOf(place).filter((mark) => {
      const isInSight = scope.texts.has(place) && (scope.hasButtons || !mark.isButton)
      return !isInSight && text.includes(mark.text) && !sent.includes(mark.text)
    }),
  )
  const foreign = [...new Set(text.match(idPattern))].flatMap((id) => {
    const among = [...(world.placesOf.get(id) ?? [])]
    const isForeign = among.length > 0 && !among.some((place) => scope.ids.has(place)) && !sent.includes(id)
    return isForeign ? [`an id of ${among.join(' and ')}`] : []
  })
  return [
    ...texts.map((mark) => `"${mark.text}"`),
    ...new Set(foreign),
    ...(text.includes(neverReturned) ? ['the hash of a password'] : []),
  ]
}

export const idPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** The answer as text, with its headers and the decoded contents of its cursor. */
function readable({ text, headers }: Answer) {
  const [, next = ''] = /"next":"([\w-]+)"/.exec(text) ?? []
  return `${JSON.stringify(headers)}\n${text}\n${Buffer.from(next, 'base64url').toString('utf8')}`
}
