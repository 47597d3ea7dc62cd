/**
 * `fault`: what the other side does wrong; null if it does this right. `skipped`: why this was not checked. `section`: of
 * docs/unit-protocol.md.
 */
export type Finding = { section: string; what: string; fault: string | null; skipped?: string }

/** The findings of a run of the kit, in order. */
export class Findings {
  readonly list: Finding[] = []
  readonly #onFinding: (finding: Finding) => void

  constructor(onFinding: (finding: Finding) => void = () => {}) {
    this.#onFinding = onFinding
  }

  report(finding: Finding) {
    this.list.push(finding)
    this.#onFinding(finding)
  }

  /** Reports the fault that the work finds, or null. Returns whether there was none. */
  async check(section: string, what: string, work: () => Promise<string | null>) {
    const fault = await work()
    this.report({ section, what, fault })
    return fault === null
  }

  skip(section: string, what: string, skipped: string) {
    this.report({ section, what, fault: null, skipped })
  }

  /** `invalid`: what was wrong with each frame that does not match the schema. */
  reportSchema(invalid: ReadonlySet<string>) {
    const fault = invalid.size === 0 ? null : [...invalid].slice(0, 3).join(' | ')
    this.report({ section: 'Connection', what: 'sends frames that match the schema', fault })
  }
}
