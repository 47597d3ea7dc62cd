import { createHash } from 'node:crypto'
import { type CompileUnit, compileInSteps } from '@portcullis/domain/configuration/compile-unit'
import { configEnd, configPieces, pieceSections } from '@portcullis/domain/configuration/config-text'
import { z } from 'zod'
import { leftOutItemsOf } from './left-out-items.ts'
import { runInSlices } from '../time-slices.ts'

/** Where a piece of a configuration is in its body, in bytes. Pieces with the same digest have the same text. */
export const bodyPiece = z.object({
  section: z.enum(pieceSections),
  digest: z.string(),
  at: z.int(),
  length: z.int(),
})
export type BodyPiece = z.output<typeof bodyPiece>

/** Compiles the configuration of a unit, as it is stored and sent, in slices between which other work runs. */
export function configBody(input: CompileUnit) {
  return runInSlices(bodyInSteps(input))
}

function* bodyInSteps(input: CompileUnit) {
  const compiled = yield* compileInSteps(input)
  const hash = createHash('sha256')
  const parts: Buffer[] = []
  const pieces: BodyPiece[] = []
  let length = 0
  const add = (text: string) => {
    const part = Buffer.from(text)
    hash.update(part)
    parts.push(part)
    length += part.length
    return part
  }
  for (const { section, before, text } of configPieces(compiled)) {
    add(before)
    const at = length
    const part = add(text)
    pieces.push({ section, digest: digestOf(part), at, length: part.length })
    yield
  }
  add(configEnd)
  return {
    body: Buffer.concat(parts),
    hash: hash.digest('hex'),
    size: compiled.needs,
    leftOut: leftOutItemsOf(compiled),
    pieces,
  }
}

function digestOf(part: Buffer) {
  return createHash('sha256').update(part).digest('base64').slice(0, 22)
}
