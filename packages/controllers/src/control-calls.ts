import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import { controlInputs } from './control-protocol.ts'
import { json, type Reply, refusal } from './control-reply.ts'
import { decisionSentence } from './page/page-words.ts'
import type { VirtualUnit } from './virtual-unit.ts'
import type { VirtualUnits } from './virtual-units.ts'

const maxBodyLength = 64 * 1024
/** A caller waits for the server's answer to an enrolment for this long. */
const enrolMs = 30_000

type Call = { input: unknown; unit: VirtualUnit; units: VirtualUnits }
type CallRequest = { request: IncomingMessage; units: VirtualUnits }

/** Answers `/units`, `/units/{serial}` and `/units/{serial}/{action}`. */
export async function answerCall({ request, units }: CallRequest): Promise<Reply> {
  const path = URL.parse(request.url ?? '', 'http://control')?.pathname ?? ''
  const [collection, serial, action = ''] = path.slice(1).split('/').map(decoded)
  if (collection !== 'units') return refusal(404, `There is no ${path}.`)
  if (serial === undefined) return answerForAll({ request, units })
  const unit = units.find(serial)
  if (!unit) return refusal(404, `No virtual controller has the serial number ${serial}.`)
  if (action === '' && request.method === 'GET') return json(unit.state())
  const run = Object.hasOwn(actions, action) ? actions[action] : undefined
  if (run) return withBody(request, (input) => run({ input, unit, units }))
  return refusal(404, `Unknown action "${action}": try ${Object.keys(actions).join(', ')}.`)
}

function answerForAll({ request, units }: CallRequest) {
  if (request.method === 'GET') return json(units.list().map((unit) => unit.state()))
  return withBody(request, (input) =>
    given(controlInputs.add, input, async (unit) => (await units.add({ ...unit, withinMs: enrolMs })).state()),
  )
}

const actions: Record<string, (call: Call) => Promise<Reply>> = {
  present: ({ input, unit }) =>
    given(controlInputs.present, input, async (presented) => {
      const decision = await unit.present(presented)
      return { ...decision, sentence: decisionSentence(decision) }
    }),
  door: ({ input, unit }) =>
    given(controlInputs.door, input, async (operation) => {
      unit.operateDoor(operation)
      return unit.state()
    }),
  faults: ({ input, unit }) =>
    given(controlInputs.faults, input, async (faults) => {
      await unit.setFaults(faults)
      return unit.state()
    }),
  start: ({ unit }) => switched(unit, unit.start()),
  stop: ({ unit }) => switched(unit, unit.stop()),
  remove: ({ input, unit, units }) =>
    given(controlInputs.remove, input, async () => {
      await units.remove(unit)
      return {}
    }),
  'power-cut': ({ unit }) => switched(unit, unit.powerCut()),
  'lose-log': ({ unit }) => switched(unit, unit.loseLog()),
}

function switched(unit: VirtualUnit, switching: Promise<void>) {
  return answered(switching.then(() => unit.state()))
}

async function given<S extends z.ZodType>(schema: S, input: unknown, work: (input: z.output<S>) => Promise<unknown>) {
  const parsed = schema.safeParse(input)
  return parsed.success ? answered(work(parsed.data)) : refusal(400, sentencesOf(parsed.error))
}

/**
 * Returns a refusal of the unit or the server as a 409 with its sentence, for the caller to read. Throws faults of this
 * machine, such as a full disk.
 */
async function answered(work: Promise<unknown>) {
  try {
    return json(await work)
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error
    return refusal(409, error instanceof Error ? error.message : String(error))
  }
}

/** Zod's own messages do not name the field, those of the control protocol do. */
function sentencesOf({ issues }: z.ZodError) {
  const sentences = issues.map(({ path, message }) =>
    message.endsWith('.') || path.length === 0 ? message : `${path.join('.')}: ${message}.`,
  )
  return [...new Set(sentences)].join(' ')
}

/** Only POST changes anything. An empty body is an empty object. */
async function withBody(request: IncomingMessage, run: (input: unknown) => Promise<Reply>) {
  if (request.method !== 'POST') return refusal(405, `${request.url} answers POST only.`)
  let text = ''
  // The connection stays open for the answer, even if the rest of the body is not read.
  for await (const chunk of request.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += String(chunk)
    if (text.length > maxBodyLength) return refusal(413, `The body is longer than ${maxBodyLength} characters.`)
  }
  let input: unknown
  try {
    input = JSON.parse(text || '{}')
  } catch {
    return refusal(400, 'The body is not JSON.')
  }
  return run(input)
}

/** A part of a path; one with a wrong escape matches no serial number. */
function decoded(part: string) {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
