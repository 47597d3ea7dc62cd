import { networkInterfaces } from 'node:os'
import { z } from 'zod'
import { checkAddress, gatewayAddress } from '../packages/controllers/src/check-address.ts'
import { conformServer } from '../packages/controllers/src/conformance/conform-server.ts'
import { conformUnit } from '../packages/controllers/src/conformance/conform-unit.ts'
import { type Finding, printable } from '../packages/controllers/src/conformance/findings.ts'
import { readCommandLine, valuesOrExit, wholeNumber } from '../packages/controllers/src/command-line.ts'

const usage = `Tests a controller, or a server for controllers, for the rules of docs/unit-protocol.md, and reports on each rule.

npm run conform -- [--listen PORT] [--host ADDRESS] [--code CODE] [--patience SECONDS]
  Plays the server against a controller. Disconnect the lock of door 1: the test opens it many times. Start the test, then
  enrol the controller at the address and with the code that it prints, and present a card whenever it asks for it.
  --listen             port at which the controller connects (7000)
  --host               address of this machine at which it connects: 0.0.0.0 for all (127.0.0.1: this machine only)
  --code               the enrolment code (a new one for each run)

npm run conform -- --url URL --code CODE --serial SERIAL [--allow-unencrypted] [--patience SECONDS]
  Plays a controller against a server. In the console, add a controller with a door, a
  user with a card and a rule for both, and create an enrolment code. When the test asks for it, change the
  direction of the rule, suspend the user and unlock the door once; --patience 180 leaves time to do it by hand.
  --url                address of the server, such as https://access.example.com
  --code               the enrolment code
  --serial             the serial number of the controller in the console
  --allow-unencrypted  also connects to a server on another machine without TLS

  --patience           how long the other side may take for each answer (20)

The exit code is 0 without faults, 1 with faults or if the test could not run, 2 for invalid options.`

const ofServer = ['code', 'serial'] as const
const ofServerOnly = ['serial', 'allow-unencrypted'] as const
const ofUnitOnly = ['listen', 'host'] as const

const schema = z
  .object({
    listen: wholeNumber({ min: 1, max: 65_535 }).optional(),
    host: z.ipv4('must be an IPv4 address of this machine, such as 0.0.0.0 for all.').optional(),
    patience: wholeNumber({ min: 1, max: 3_600 }).default(20),
    url: z
      .url({ protocol: /^(https?|wss?)$/, error: 'must be an address such as https://access.example.com.' })
      .optional(),
    code: z.string().min(1, 'must not be empty.').optional(),
    serial: z.string().min(1, 'must not be empty.').optional(),
    'allow-unencrypted': z.boolean().optional(),
  })
  .superRefine((values, context) => {
    const report = (message: string) => context.addIssue({ code: 'custom', message })
    const isServer = values.url !== undefined
    const ofUnit = ofUnitOnly.find((option) => values[option] !== undefined)
    if (isServer && ofUnit) report(`Use either --${ofUnit}, to test a controller, or --url, to test a server.`)
    const missing = ofServer.find((option) => values[option] === undefined)
    if (isServer && missing) report(`A test of a server also needs --${missing}.`)
    const extra = ofServerOnly.find((option) => values[option] !== undefined)
    if (!isServer && extra) report(`--${extra} belongs to a test of a server, which needs --url.`)
  })

const warning = 'Disconnect the lock of door 1 first: the test opens it many times.'
/** What the operator of a controller reads during the test. */
const withUnit = { onReady: invite, operator: { onCard: askForCard, onFilling: announceFilling } }

const values = valuesOrExit(
  readCommandLine({
    usage,
    options: schema.shape,
    schema,
  }),
)

try {
  summarise(await run())
} catch (error) {
  console.error(error instanceof Error ? printable(sentenceOn(error)) : error)
  process.exitCode = 1
}

function run() {
  const { url, code, serial = '', host, listen: port = 7_000 } = values
  const options = { patienceMs: values.patience * 1_000, onFinding: print }
  if (url === undefined) return conformUnit({ ...options, host, port, code, ...withUnit })
  const address = gatewayAddress(url)
  checkAddress(address, { allowUnencrypted: values['allow-unencrypted'] })
  return conformServer({ ...options, url: address, code: code ?? '', serial, onReadyForChanges: askForChanges })
}

/** At all addresses, the kit has one for each network. */
function invite({ url, code }: { url: string; code: string }) {
  const own = values.host === '0.0.0.0' ? Object.values(networkInterfaces()).flatMap((each = []) => each) : []
  const inNetwork = own.filter(({ family, internal }) => family === 'IPv4' && !internal)
  const urls = inNetwork.map(({ address }) => url.replace('127.0.0.1', address))
  const last = url.includes('//127.') ? `${url} (on this machine)` : url
  console.log(`Enrol the controller at ${[...urls, last].join(' or ')} with the code ${code}.\n${warning}\n`)
}

function askForCard({ nth, most }: { nth: number; most: number }) {
  console.log(
    `Now present a card at the entry reader of door 1, always the same one (${nth} of up to ${most}). The test waits at most ${values.patience} s.`,
  )
}

function announceFilling(commands: number) {
  console.log(`Now the test fills the log: it sends ${commands} commands, each of which opens door 1.`)
}

function askForChanges() {
  const { patience } = values
  console.log(
    `Now change the direction of the rule, suspend the user, and unlock the door once. The test waits at most ${patience} s.`,
  )
}

function print({ section, what, fault, skipped }: Finding) {
  if (skipped !== undefined) console.log(`skip   ${section}: ${what}: ${skipped}`)
  else console.log(fault === null ? `ok     ${section}: ${what}` : `FAULT  ${section}: ${what}\n       ${fault}`)
}

function summarise(findings: readonly Finding[]) {
  const faults = findings.filter(({ fault }) => fault !== null)
  const skipped = findings.filter((finding) => finding.skipped !== undefined).length
  const counts = [`${findings.length - skipped} checked`, `${skipped} skipped`]
  console.log(`\n${[...counts, `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`].join(', ')}.`)
  if (faults.length > 0) process.exitCode = 1
}

/** The message says what to do, except those of the system about the port and the address. */
function sentenceOn(error: Error & { code?: unknown }) {
  const { listen: port = 7_000, host } = values
  if (error.code === 'EADDRNOTAVAIL') return `This machine does not have the address ${host}.`
  if (error.code === 'EADDRINUSE') return `Port ${port} is in use. Choose another one with --listen.`
  if (error.code === 'EACCES')
    return `Port ${port} is reserved for administrators. Choose one above 1023 with --listen.`
  return error.message
}
