/** The progress of a file: the bytes received and, for a file of lines, the number of rows. */
export type Progress = { bytes: number; rows?: number }

type Reading = { countsRows: boolean; onProgress: (progress: Progress) => void }

/** Thrown when a file ends before it is complete. */
export class BrokenOff extends Error {
  override readonly name = 'BrokenOff'
}

const everyMs = 150

/** Reads a file as it arrives, and reports the progress. */
export async function readFile(response: Response, { countsRows, onProgress }: Reading): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let [bytes, lines, reportedAt] = [0, 0, 0]
  const report = () => onProgress({ bytes, ...(countsRows ? { rows: Math.max(0, lines - 1) } : {}) })
  try {
    const reader = response.body?.getReader()
    for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
      pieces.push(read.value)
      bytes += read.value.length
      if (countsRows) lines += linesIn(read.value)
      if (performance.now() - reportedAt < everyMs) continue
      reportedAt = performance.now()
      report()
    }
  } catch (cause) {
    throw new BrokenOff('The file broke off before its end.', { cause })
  }
  report()
  return new Blob(pieces, { type: response.headers.get('content-type') ?? '' })
}

const newLine = 10

function linesIn(piece: Uint8Array) {
  let lines = 0
  for (const byte of piece) if (byte === newLine) lines += 1
  return lines
}
