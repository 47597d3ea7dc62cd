import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { controlInputs } from './control-protocol.ts'
import type { VirtualUnit } from './virtual-unit.ts'
import type { VirtualUnits } from './virtual-units.ts'

const maxBodyLength = 64 * 1024

/** An HTTP server for tests and demonstrations that operates the virtual units; the caller listens on the loopback only. */
export function controlServer({ units, token }: { units: VirtualUnits; token: string }) {
  return createServer((request, response) => {
    void answer({ request, units, token })
      .catch((error: unknown) => ({ status: 500, body: { error: messageOf(error) } }))
      .then((reply) => send(response, reply))
  })
}

type Reply = { status: number; body: unknown }
type Call = { units: VirtualUnits; input: unknown; unit: VirtualUnit }

async function answer({ request, units, token }: { request: IncomingMessage; units: VirtualUnits; token: string }) {
  if (!isAllowed(request, token)) return refusal(401, 'The token is missing or wrong. Use the one in control.json.')
  const path = new URL(request.url ?? '/', 'http://control').pathname
  const [collection, serial, action] = path.slice(1).split('/').map(decodeURIComponent)
  if (collection !== 'units') return refusal(404, `There is no ${path}.`)
  if (serial === undefined && request.method === 'GET') return done(units.list().map((unit) => unit.state()))
  const input = await bodyOf(request)
  if (serial === undefined) return given(controlInputs.add, input, async (unit) => (await units.add(unit)).state())
  const unit = units.find(serial)
  if (!unit) return refusal(404, `No virtual controller has the serial number ${serial}.`)
  if (action === undefined && request.method === 'GET') return done(unit.state())
  return act(action ?? '', { units, input, unit })
}

function act(action: string, call: Call): Promise<Reply> | Reply {
  const run = Object.hasOwn(actions, action) ? actions[action] : undefined
  return run?.(call) ?? refusal(404, `Unknown action "${action}": try ${Object.keys(actions).join(', ')}.`)
}

const actions: Record<string, (call: Call) => Promise<Reply>> = {
  present: ({ input, unit }) => given(controlInputs.present, input, (presented) => unit.present(presented)),
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
  'power-cut': ({ unit }) => switched(unit, unit.powerCut()),
}

async function switched(unit: VirtualUnit, switching: Promise<void>) {
  await switching
  return done(unit.state())
}

/** Returns a refusal of the unit or the server as a 409 with its sentence, for the caller to read. */
async function given<S extends z.ZodType>(schema: S, input: unknown, work: (input: z.output<S>) => Promise<unknown>) {
  const parsed = schema.safeParse(input)
  if (!parsed.success) return refusal(400, z.prettifyError(parsed.error))
  try {
    return done(await work(parsed.data))
  } catch (error) {
    return refusal(409, messageOf(error))
  }
}

function done(body: unknown): Reply {
  return { status: 200, body }
}

function refusal(status: number, error: string): Reply {
  return { status, body: { error } }
}

function isAllowed(request: IncomingMessage, token: string) {
  const given = Buffer.from(request.headers.authorization ?? '')
  const expected = Buffer.from(`Bearer ${token}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > maxBodyLength) return undefined
  }
  try {
    return JSON.parse(text || '{}')
  } catch {
    return undefined
  }
}

function send(response: ServerResponse, { status, body }: Reply) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function messageOf(error: unknown) {
  return error instanceof Error ? error.message : String(error)
}
