import { goals, megabytes, ms, type Row } from './verdict.ts'

const heads = [
  'attack',
  '/health/live p50',
  'p99',
  'max',
  'bare p99',
  'processor',
  'list p50/max',
  'save p50/max',
  'event p50/max',
  'configuration p50/max',
  'RSS',
  'heap',
  'verdict',
]

/** The table of a run: one line for each attack, with its effects on others, in milliseconds. */
export function proofTable(rows: readonly Row[]) {
  const lines = [heads, ...rows.map(cellsOf)]
  const widths = heads.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  const table = lines.map((cells) =>
    cells
      .map((cell, column) => padded(cell, { column, width: widths[column] ?? 0 }))
      .join('  ')
      .trimEnd(),
  )
  return [
    ...table,
    '',
    `Goals: /health/live p99 ${goals.liveP99Ms} ms; a bystander’s call at most ${goals.bystanderMs / 1_000} s; heap at most ${megabytes(goals.growthBytes)} more than before.`,
    'The times are divided by the share of a processor that other programs left to the server, and /health/live may take twice as long as the bare server.',
    'Times of the bystander are in ms: list of events, saved contact, stored event, applied configuration.',
  ]
}

/** What was sent in an attack, and what happened. */
export function storyOf({ name, sends, happened, faults, verdict }: Row) {
  return [
    `${name}: ${verdict}`,
    ...(sends ? [`  sent: ${sends}`] : []),
    ...(happened ? [`  happened: ${happened}`] : []),
    ...faults.map((fault) => `  FAULT: ${fault}`),
  ]
}

function cellsOf({ name, probed: { live, bare }, processorShare, report: { figures }, memory, verdict }: Row) {
  const work = ['list events', 'save an item', 'send an event', 'get a configuration'] as const
  return [
    name,
    ms(live.p50),
    ms(live.p99),
    ms(live.max),
    ms(bare.p99),
    `${Math.round(processorShare * 100)} %`,
    ...work.map((each) => `${Math.round(figures[each].p50)}/${Math.round(figures[each].max)}`),
    megabytes(memory.resident),
    megabytes(memory.heap),
    verdict,
  ]
}

function padded(cell: string, { column, width }: { column: number; width: number }) {
  return column === 0 || column === heads.length - 1 ? cell.padEnd(width) : cell.padStart(width)
}
