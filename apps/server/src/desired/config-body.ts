import { createHash } from 'node:crypto'
import { type CompileUnit, compileInSteps } from '@portcullis/domain/configuration/compile-unit'
import { configPieces } from '@portcullis/domain/configuration/config-text'
import { runInSlices } from '../time-slices.ts'

/** Compiles the configuration of a unit, as it is stored and sent, in slices between which other work runs. */
export function configBody(input: CompileUnit) {
  return runInSlices(bodyInSteps(input))
}

function* bodyInSteps(input: CompileUnit) {
  const compiled = yield* compileInSteps(input)
  const hash = createHash('sha256')
  const pieces: Buffer[] = []
  for (const text of configPieces(compiled)) {
    const piece = Buffer.from(text)
    hash.update(piece)
    pieces.push(piece)
    yield
  }
  const { head, credentials } = compiled
  const size = {
    doors: Object.keys(head.doors).length,
    credentials: credentials.length,
    schedules: Object.keys(head.schedules).length,
  }
  return { body: Buffer.concat(pieces), hash: hash.digest('hex'), size }
}
