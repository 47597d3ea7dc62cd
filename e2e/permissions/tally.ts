import { crossingKinds, type FindingKind } from './judge-answer.ts'

type Row = { cells: number; findings: number }
export type Told = { kind: FindingKind; where: string; what: string }

/** Of more names than these only the number of all together is told. */
const mostTold = 12

/** Counts cells and findings, by several measures at once, and prints them. */
export class Tally {
  readonly title: string
  readonly findings: Told[] = []
  cells = 0
  /** How often an answer about something foreign was held against one about something absent. */
  comparisons = 0
  readonly #blocks = new Map<string, Map<string, Row>>()

  constructor(title: string) {
    this.title = title
  }

  /** Counts a cell under a name of each measure. */
  count(names: Record<string, string>, findings: readonly Told[]) {
    this.cells += 1
    for (const [measure, name] of Object.entries(names)) {
      const row = this.#row(measure, name)
      row.cells += 1
      row.findings += findings.length
    }
    this.findings.push(...findings)
  }

  /** What was seen of many cells together. */
  add(findings: readonly Told[]) {
    this.findings.push(...findings)
  }

  get crossings() {
    return this.findings.filter(({ kind }) => kind !== 'surprise')
  }

  get surprises() {
    return this.findings.filter(({ kind }) => kind === 'surprise')
  }

  /** The names that cells were counted under by a measure. */
  names(measure: string) {
    return [...(this.#blocks.get(measure)?.keys() ?? [])]
  }

  /** A compact table: each measure in a line or two, and the crossings by their kind. */
  toString() {
    const lines = [...this.#blocks]
      .filter(([, rows]) => rows.size <= mostTold)
      .map(([measure, rows]) => {
        const cells = [...rows].map(
          ([name, row]) => `${name} ${row.cells}${row.findings > 0 ? ` (${row.findings}!)` : ''}`,
        )
        return `  by ${measure}: ${cells.join(', ')}`
      })
    const kinds = crossingKinds.map((kind) => `${kind} ${this.findings.filter((each) => each.kind === kind).length}`)
    return [
      `${this.title}: ${this.cells} cells, ${this.comparisons} held against absent ones, ${this.crossings.length} crossings, ${this.surprises.length} surprises`,
      ...lines,
      `  crossings: ${kinds.join(', ')}`,
    ].join('\n')
  }

  #row(measure: string, name: string) {
    const rows = this.#blocks.get(measure) ?? new Map<string, Row>()
    this.#blocks.set(measure, rows)
    const row = rows.get(name) ?? { cells: 0, findings: 0 }
    rows.set(name, row)
    return row
  }
}
