import { expect, test } from 'vitest'
import { BrokenOff, type Progress, readFile } from './read-file.ts'

function fileOf(pieces: readonly string[], { breaksOff = false } = {}) {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      if (breaksOff) controller.error(new Error('closed'))
      else controller.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/csv' } })
}

test('§4 export: a file is read to its end, and the progress is reported in rows', async () => {
  const reports: Progress[] = []
  const file = await readFile(fileOf(['name\r\nGate', 'house\r\n', 'Freezer\r\n']), {
    countsRows: true,
    onProgress: (progress) => reports.push(progress),
  })
  expect(await file.text()).toBe('name\r\nGatehouse\r\nFreezer\r\n')
  expect(file.type).toBe('text/csv')
  expect(reports.at(-1)).toEqual({ bytes: 26, rows: 2 })
})

test('§4 export: a file that breaks off is no file', async () => {
  const broken = readFile(fileOf(['name\r\n'], { breaksOff: true }), { countsRows: false, onProgress: () => undefined })
  await expect(broken).rejects.toThrow(BrokenOff)
})
