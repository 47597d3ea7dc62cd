import type { Reporter, TestModule } from 'vitest/node'

/** Names the tests that passed at their second try only, for somebody to find the cause (decision 0070). */
// oxlint-disable-next-line import/no-default-export -- Vitest loads a reporter by its default
export default class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]) {
    const names = modules
      .flatMap(({ children }) => [...children.allTests('passed')])
      .filter((test) => test.diagnostic()?.flaky)
      .map((test) => `  ${test.module.relativeModuleId}: ${test.fullName}`)
    if (names.length > 0) console.log(['Passed at the second try:', ...names].join('\n'))
  }
}
