import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import type { FileDuration } from './durations.ts'

/**
 * Writes the duration of every file and test to the file that PORTCULLIS_DURATIONS names. A file's duration includes what it
 * loads and starts before its first test, which Vitest's own JSON report leaves out.
 */
// oxlint-disable-next-line import/no-default-export -- Vitest loads a reporter by its default
export default class DurationReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]) {
    const file = process.env['PORTCULLIS_DURATIONS']
    if (file === undefined) return
    const durations = modules.map((module): FileDuration => {
      const { duration, collectDuration } = module.diagnostic()
      const tests = [...module.children.allTests()].map((test) => ({
        name: test.fullName,
        seconds: (test.diagnostic()?.duration ?? 0) / 1_000,
      }))
      return { file: module.relativeModuleId, seconds: (collectDuration + duration) / 1_000, tests }
    })
    writeFileSync(file, JSON.stringify(durations))
  }
}
