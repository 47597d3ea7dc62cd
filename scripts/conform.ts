import { parseArgs } from 'node:util'
import { conformUnit } from '../packages/controllers/src/conformance/conform-unit.ts'
import type { Finding } from '../packages/controllers/src/conformance/findings.ts'

const usage = `npm run conform -- [--listen PORT] [--patience SECONDS]
Plays the server against a controller, and reports for each rule of docs/unit-protocol.md whether the controller keeps it.
Start it, then enrol the controller at the address and with the code that it prints.`

const { values } = parseArgs({
  options: {
    listen: { type: 'string', default: '7000' },
    patience: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
})
const [port, seconds] = [Number(values.listen), Number(values.patience)]
if (values.help || !Number.isInteger(port) || !(seconds > 0)) console.log(usage)
else await run()

async function run() {
  const findings = await conformUnit({
    port,
    patienceMs: seconds * 1_000,
    onReady: ({ url, code }) => console.log(`Enrol the controller at ${url} with the code ${code}.\n`),
    onFinding: ({ section, what, fault, skipped }) => {
      if (skipped !== undefined) console.log(`skip   ${section}: ${what}: ${skipped}`)
      else console.log(fault === null ? `ok     ${section}: ${what}` : `FAULT  ${section}: ${what}\n       ${fault}`)
    },
  })
  const faults = findings.filter(isFault)
  const checked = findings.filter(({ skipped }) => skipped === undefined)
  console.log(`\n${checked.length} checked, ${faults.length} faults.`)
  if (faults.length > 0) process.exitCode = 1
}

function isFault({ fault }: Finding) {
  return fault !== null
}
