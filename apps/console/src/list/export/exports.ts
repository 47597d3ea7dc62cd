import type { Collection } from '@portcullis/contract/collection'
import type { ExportRequest } from '@portcullis/contract/export-request'
import { useSyncExternalStore } from 'react'
import { client } from '../../session/client.ts'
import { whenSessionEnds } from '../../session/session-end.ts'
import { reachOf } from '../../item/reach-of.ts'
import { type Progress, readFile } from '../../ui/read-file.ts'
import { saveFile } from '../../ui/save-file.ts'

type StartExportInput = {
  of: Collection
  request: ExportRequest
  name: string
  /** How many rows the file will have; undefined if it is not known. */
  total: number | undefined
  /** The call that returns the file; by default the export of the collection. */
  download?: Download
}

export type Download = ReturnType<typeof client.of>['export']

/** A running or finished export; it continues while the user is on other screens. */
export type RunningExport = StartExportInput & {
  id: number
  state: 'running' | 'done' | 'failed'
  progress: Progress
  /** Known as soon as the server answers. */
  fileName?: string
  error?: unknown
}

/** For how many milliseconds a finished file stays announced. */
const shownAfterMs = 12_000

let exports: readonly RunningExport[] = []
let lastId = 0
const listeners = new Set<() => void>()
const aborts = new Map<number, AbortController>()

export function useExports(): readonly RunningExport[] {
  return useSyncExternalStore(watch, () => exports)
}

export function startExport(input: StartExportInput) {
  lastId += 1
  put([...exports, { ...input, id: lastId, state: 'running', progress: { bytes: 0 } }])
  void run(lastId, input)
}

export function retryExport({ id, ...input }: RunningExport) {
  endExport(id)
  startExport(input)
}

/** Stops a running export and removes it from the screen. */
export function endExport(id: number) {
  aborts.get(id)?.abort()
  put(exports.filter((each) => each.id !== id))
}

async function run(id: number, { of, request, download = client.of(of).export }: StartExportInput) {
  const abort = new AbortController()
  aborts.set(id, abort)
  try {
    const { fileName, response } = await download(request, { signal: abort.signal, ...reachOf(of) })
    change(id, { fileName })
    const file = await readFile(response, {
      countsRows: request.format === 'csv',
      onProgress: (progress) => change(id, { progress }),
    })
    saveFile(file, fileName)
    change(id, { state: 'done' })
    setTimeout(() => endExport(id), shownAfterMs)
  } catch (error) {
    if (!abort.signal.aborted) change(id, { state: 'failed', error })
  } finally {
    aborts.delete(id)
  }
}

function change(id: number, changes: Partial<RunningExport>) {
  put(exports.map((each) => (each.id === id ? { ...each, ...changes } : each)))
}

function put(next: readonly RunningExport[]) {
  exports = next
  for (const listener of listeners) listener()
}

function watch(onChange: () => void) {
  listeners.add(onChange)
  return () => {
    listeners.delete(onChange)
  }
}

whenSessionEnds(() => {
  for (const { id } of exports) endExport(id)
})
