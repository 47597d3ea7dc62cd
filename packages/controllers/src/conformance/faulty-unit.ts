import { z } from 'zod'
import type { Tamper } from './tampering-proxy.ts'

/** What a unit does wrong, the rule (section and `what` of the finding) that reports it, and the sentence. */
export type FaultyUnit = [name: string, tamper: () => Tamper, rule: string, fault: string]

type Frame = Parameters<NonNullable<Tamper['toServer']>>[0]

/** Frames of a type with other values; all others unchanged. */
export function changes(type: string, other: (frame: Frame) => Frame | Frame[] | undefined): Tamper {
  return { toServer: (frame) => (frame['type'] === type ? other(frame) : frame) }
}

const anyFrame = z.record(z.string(), z.unknown())

/** Frames of a type with another text in their JSON. */
export function replaces(type: string, text: string, by: string) {
  return changes(type, (frame) => anyFrame.parse(JSON.parse(JSON.stringify(frame).replaceAll(text, by))))
}
