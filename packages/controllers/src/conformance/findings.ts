/**
 * `fault`: what the other side does wrong; null if it does this right. `skipped`: why this was not checked. `section`: of
 * docs/unit-protocol.md.
 */
export type Finding = { section: string; what: string; fault: string | null; skipped?: string }

/** The findings of a run of the kit, in order. */
export class Findings {
  readonly list: Finding[] = []
  readonly #onFinding: (finding: Finding) => void
  /** The first faults of frames. */
  readonly #invalid = new Set<string>()

  constructor(onFinding: (finding: Finding) => void = () => {}) {
    this.#onFinding = onFinding
  }

  report({ fault, ...rest }: Finding) {
    const finding = { ...rest, fault: fault === null ? null : printable(fault) }
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

  /** A frame does not match the schema. */
  addInvalid(fault: string) {
    if (this.#invalid.size < mostInvalid) this.#invalid.add(fault)
  }

  reportSchema() {
    const fault = this.#invalid.size === 0 ? null : [...this.#invalid].join(' | ')
    this.report({ section: 'Connection', what: 'sends frames that match the schema', fault })
  }
}

const mostInvalid = 3

/** A terminal would obey control characters in the text of a peer. */
export function printable(text: string) {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)
}
