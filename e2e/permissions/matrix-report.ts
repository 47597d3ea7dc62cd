import { crossingKinds, type FindingKind } from './judge-answer.ts'

type Row = { cells: number; findings: number }
export type CountedFinding = { kind: FindingKind; where: string; what: string }

/** Measures with more names than this are not printed. */
const maxNamed = 12

/** Counts cells and findings, by several measures at once, and prints them. */
export class MatrixReport {
  readonly title: string
  readonly findings: CountedFinding[] = []
  cells = 0
  /** The number of comparisons of an answer about an out-of-scope item with one about an absent item. */
  comparisons = 0
  readonly #blocks = new Map<string, Map<string, Row>>()

  constructor(title: string) {
    this.title = title
  }

  /** Counts a cell under its name in each measure. */
  count(names: Record<string, string>, findings: readonly CountedFinding[]) {
    this.cells += 1
    for (const [measure, name] of Object.entries(names)) {
      const row = this.#row(measure, name)
      row.cells += 1
      row.findings += findings.length
    }
    this.findings.push(...findings)
  }

  /** Adds findings about many cells together. */
  add(findings: readonly CountedFinding[]) {
    this.findings.push(...findings)
  }

  get crossings() {
    return this.findings.filter(({ kind }) => kind !== 'surprise')
  }

  get surprises() {
    return this.findings.filter(({ kind }) => kind === 'surprise')
  }

  /** The names of a measure under which cells were counted. */
  names(measure: string) {
    return [...(this.#blocks.get(measure)?.keys() ?? [])]
  }

  /** A compact table: the totals, a line for each measure, and the crossings by kind. */
  toString() {
    const lines = [...this.#blocks]
      .filter(([, rows]) => rows.size <= maxNamed)
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
