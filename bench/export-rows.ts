import { exportFormats, type ExportFormat } from '@portcullis/contract/export-request'
import { z } from 'zod'
import { unzip } from '../apps/server/src/exports/test-workbook.ts'
import { watchMemory } from './memory.ts'
import { median } from './median.ts'
import type { Row } from './print-table.ts'

const most = { seconds: 0.8, megabytes: 40 } as const

/** The usual columns of an exported events list: names instead of ids. */
const columns = [
  'occurredAt',
  'type',
  'severity',
  'outcome',
  'reason',
  'site',
  'door',
  'user',
  'direction',
  'receivedAt',
]

type Server = { url: string; pid: number; headers?: Record<string, string> }
type MeasureExportsInput = { rows: number; rounds: number; product: Server; bare: Server & { path: string } }

/** Exports all pages of a list as a file: the duration, and the rise of the server's memory. */
export async function* measureExports({ rows, rounds, product, bare }: MeasureExportsInput): AsyncGenerator<Row> {
  const exportBare = () => fetch(`${bare.url}${bare.path}`)
  for (const format of exportFormats) {
    const ask = () =>
      fetch(`${product.url}/api/events/export`, {
        method: 'POST',
        headers: { ...product.headers, 'content-type': 'application/json' },
        // Every export adds an event, which the next export must not contain.
        body: JSON.stringify({ format, columns, filter: { category: 'access' } }),
      })
    await take(await ask())
    const own = await Array.fromAsync({ length: rounds }, () => measure(product.pid, ask))
    for (const { file } of own) checkRows({ format, file, rows })
    const beside =
      format === 'json' ? await Array.fromAsync({ length: rounds }, () => measure(bare.pid, exportBare)) : []
    const figures = { own, beside }
    yield line(`export of ${rows} rows, ${format}`, {
      ...figures,
      unit: 's',
      of: (run) => run.seconds,
      atMost: most.seconds,
    })
    yield line(`  memory above idle`, { ...figures, unit: 'MB', of: (run) => run.megabytes, atMost: most.megabytes })
  }
}

type Run = { seconds: number; megabytes: number; file: Buffer }
type Figures = { own: Run[]; beside: Run[]; unit: string; of: (run: Run) => number; atMost: number }

function line(name: string, { own, beside, unit, of, atMost }: Figures): Row {
  const show = (value: number) => `${value.toFixed(unit === 's' ? 2 : 0)} ${unit}`
  const [value, other] = [median(own.map(of)), median(beside.map(of))]
  return {
    name,
    product: show(value),
    ...(beside.length === 0 ? {} : { bare: show(other), ratio: (value / other).toFixed(2) }),
    target: `< ${atMost} ${unit}`,
    isMet: value < atMost,
  }
}

async function measure(pid: number, ask: () => Promise<Response>): Promise<Run> {
  const watch = await watchMemory(pid)
  const began = performance.now()
  const file = await take(await ask())
  const seconds = (performance.now() - began) / 1_000
  return { seconds, megabytes: await watch.risen(), file }
}

async function take(response: Response) {
  if (!response.ok) throw new Error(`An export was answered with ${response.status}: ${await response.text()}`)
  return Buffer.from(await response.arrayBuffer())
}

function checkRows({ format, file, rows }: { format: ExportFormat; file: Buffer; rows: number }) {
  const found = countRows(format, file)
  if (found !== rows) throw new Error(`The ${format} file has ${found} rows instead of ${rows}.`)
}

/** Without the header row, where the format has one. */
function countRows(format: ExportFormat, file: Buffer) {
  switch (format) {
    case 'csv':
      return file.toString().trimEnd().split('\n').length - 1
    case 'json':
      return z.array(z.unknown()).parse(JSON.parse(file.toString())).length
    case 'xlsx':
      return (unzip(file).get('xl/worksheets/sheet1.xml') ?? '').split('<row ').length - 2
  }
}
