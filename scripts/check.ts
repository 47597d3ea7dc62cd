import { gates, runGate } from './gates.ts'

const failed: string[] = []
for (const gate of await gates()) {
  const { name, isPassed, seconds, output } = await runGate(gate)
  console.log(`${isPassed ? 'passed' : 'FAILED'}  ${name} (${seconds.toFixed(1)} s)`)
  if (isPassed) continue
  console.log(output)
  failed.push(name)
}
console.log(failed.length === 0 ? 'All gates passed' : `Failed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
