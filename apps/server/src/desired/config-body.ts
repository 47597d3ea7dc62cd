import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { type CompileUnit, compileInSteps } from '@portcullis/domain/configuration/compile-unit'
import { configPieces } from '@portcullis/domain/configuration/config-text'

const sliceMs = 5

/**
 * Compiles the configuration of a unit, as it is stored and sent. Lets other work run whenever some milliseconds have passed.
 */
export async function configBody(input: CompileUnit) {
  const steps = bodyInSteps(input)
  for (let since = performance.now(); ; ) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - since < sliceMs) continue
    await setImmediate()
    since = performance.now()
  }
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
