import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'

/** Linux counts the processor time of processes in hundredths of a second. */
const tickMs = 10

/** The processor time that a process has used so far, in milliseconds; NaN where the system has no /proc. */
export async function processMs(pid: number) {
  const stat = await statOf(pid)
  return stat ? stat.own * tickMs : Number.NaN
}

/** The processor time of all processes of the PostgreSQL behind this connection, including ended ones. */
export async function databaseMs(client: pg.Client) {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const backend = await statOf(rows[0]?.pid ?? 0)
  const postmaster = backend && (await statOf(backend.parent))
  if (!postmaster) return Number.NaN
  const stats = await Promise.all((await processes()).map(statOf))
  const children = stats.flatMap((stat) => (stat?.parent === postmaster.pid ? [stat.own] : []))
  return [postmaster.own, postmaster.ended, ...children].reduce((sum, ticks) => sum + ticks, 0) * tickMs
}

async function processes() {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
}

/** Undefined if there is no such process. */
async function statOf(pid: number) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  // The name in brackets may contain spaces; the second field after it is the parent.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const sum = (...places: number[]) => places.reduce((total, place) => total + Number(fields[place]), 0)
  return { pid, parent: Number(fields[1]), own: sum(11, 12), ended: sum(13, 14) }
}
