import type { EntityOf } from '@portcullis/contract/collection'
import type { events } from '@portcullis/contract/collections/events'
import { type Part, type Phrase, strong } from '../text/phrase.ts'
import { text } from '../text/text.ts'
import { type Facts, type ParsedFinding, parseFindings, type RuleFacts } from './finding-facts.ts'
import { near } from '../time/site-time.ts'

export type Event = EntityOf<typeof events>

/** The facts of an event, gathered once: its findings, its names as they were, the clock of the site. */
export type Explanation = {
  event: Event
  findings: readonly ParsedFinding[]
  timeZone: string
  /** Whether it describes a hypothetical decision and not a past one. */
  tense: 'past' | 'ahead'
  /** The hours of a schedule in words; undefined where it is unknown, or has changed since the event. */
  hoursOf: (schedule: string) => string | undefined
}

export type ExplanationInput = {
  event: Event
  viewerZone: string
  tense?: Explanation['tense']
  hoursOf?: Explanation['hoursOf']
}

export function explanationOf({
  event,
  viewerZone,
  tense = 'past',
  hoursOf = () => undefined,
}: ExplanationInput): Explanation {
  const findings = parseFindings(event.reasons)
  return { event, findings, timeZone: event.data.names.timeZone ?? viewerZone, tense, hoursOf }
}

/** One line of the list of checks. */
export type Check = { state: 'passed' | 'refused' | 'not_asked' | 'noted'; line: Phrase; more: readonly Phrase[] }

export function check(state: Check['state'], line: Phrase | string, more: readonly (Phrase | string)[] = []): Check {
  return { state, line: toPhrase(line), more: more.map(toPhrase) }
}

/** The finding that gives the event its reason: the first that refuses. */
export function refusal({ findings }: Explanation): ParsedFinding | undefined {
  return findings.find(({ outcome }) => outcome === 'refused')
}

export function factsOf({ findings }: Explanation, step: ParsedFinding['step']): Facts | undefined {
  return findings.find((finding) => finding.step === step)?.facts
}

export function personName({ event, findings }: Explanation): string | undefined {
  return event.data.names.user ?? findings.find(({ facts }) => facts.holder)?.facts.holder?.name
}

export function doorName({ event, findings }: Explanation): string | undefined {
  return event.data.names.door ?? findings.find(({ facts }) => facts.door)?.facts.door?.name
}

/** The kind of the presented credential: card, QR code. */
export function kindWord({ findings }: Explanation): string {
  const kind = findings.find(({ facts }) => facts.credential)?.facts.credential?.kind
  return text(`why.kinds.${kind ?? 'unknown'}`)
}

/** The presented number; empty if there was none, null where the viewer may not see it. */
export function presentedNumber({ event }: Explanation): string | null {
  const { number = '' } = event.data
  return number
}

export function personPart(explanation: Explanation): Part {
  const name = personName(explanation)
  return name === undefined ? text('why.person') : strong(name)
}

export function doorPart(explanation: Explanation): Part {
  const name = doorName(explanation)
  return name === undefined ? text('why.door') : strong(name)
}

export function rulePart({ rule }: RuleFacts): Part {
  if (!rule) return text('why.rule')
  if (rule._id === undefined) return text('explorer.ruleAbove')
  return { kind: 'rule', id: rule._id, text: rule.name ?? text('why.rule') }
}

export function schedulePart({ schedule }: RuleFacts): Part {
  if (schedule?._id === undefined) return text('why.schedule')
  return { kind: 'schedule', id: schedule._id, text: schedule.name ?? text('why.schedule') }
}

/** A moment, as short as the event's own time allows. */
export function nearEvent({ event, timeZone }: Explanation, iso: string): string {
  return near(iso, { at: event.occurredAt, timeZone })
}

/** A sentence begins with a capital letter. */
export function capital(phrase: Phrase): Phrase {
  const [first, ...rest] = phrase
  if (first === undefined) return phrase
  if (typeof first === 'string') return [upper(first), ...rest]
  return [{ ...first, text: upper(first.text) }, ...rest]
}

function upper(words: string) {
  // The name of a product keeps its spelling.
  return words.startsWith('iButton') ? words : words.charAt(0).toUpperCase() + words.slice(1)
}

function toPhrase(line: Phrase | string): Phrase {
  return typeof line === 'string' ? [line] : line
}
