import { runGates } from './gates.ts'

const { failed } = await runGates()
console.log(failed === 0 ? 'All gates passed' : `Gates failed: ${failed}`)
process.exitCode = failed === 0 ? 0 : 1
