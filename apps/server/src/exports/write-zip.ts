import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

export type ZipEntry = { name: string; content: AsyncIterable<string> | Iterable<string> }

/**
 * A zip file (PKWARE's APPNOTE 6.3), written as its entries arrive: sizes follow each entry's content. Refuses more
 * than 4 GB, which needs another format.
 */
export async function* writeZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const { name, content } of entries) {
    const start = offset
    const fixed = numbers([4, 0x04034b50], [2, version], ...method, ...unknownSizes, ...nameSizes(name))
    const head = Buffer.concat([fixed, Buffer.from(name)])
    yield head
    const sums = { crc: 0, size: 0, packed: 0 }
    for await (const chunk of deflated(content, sums)) yield chunk
    const sizes = numbers([4, sums.crc], [4, sums.packed], [4, sums.size])
    yield Buffer.concat([numbers([4, 0x08074b50]), sizes])
    offset += head.length + sums.packed + 16
    if (offset > maxBytes || sums.size > maxBytes) throw new Error(`${name} exceeds the size limit of a zip file.`)
    directory.push(
      numbers([4, 0x02014b50], [2, version], [2, version], ...method),
      sizes,
      numbers(...nameSizes(name), [2, 0], [2, 0], [2, 0], [4, 0], [4, start]),
      Buffer.from(name),
    )
  }
  const central = Buffer.concat(directory)
  const count = directory.length / 4
  yield central
  yield numbers([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, central.length], [4, offset], [2, 0])
}

const maxBytes = 0xffff_ffff
const version = 20

/** Flags (sizes follow, names are UTF-8), deflate, and the first day of the format in place of a time. */
const method: Field[] = [
  [2, 0x0808],
  [2, 8],
  [2, 0],
  [2, 0x0021],
]
const unknownSizes: Field[] = [
  [4, 0],
  [4, 0],
  [4, 0],
]

function nameSizes(name: string): Field[] {
  return [
    [2, Buffer.byteLength(name)],
    [2, 0],
  ]
}

type Sums = { crc: number; size: number; packed: number }

async function* deflated(content: ZipEntry['content'], sums: Sums) {
  // Sheets are so repetitive that a higher level saves only a few per cent.
  const deflate = createDeflateRaw({ level: 1 })
  const fed = pipeline(measured(content, sums), deflate)
  // A failure reaches the reader of `deflate`; without one, the promise is awaited below.
  fed.catch(() => {})
  for await (const chunk of deflate) {
    const packed = Buffer.from(chunk)
    sums.packed += packed.length
    yield packed
  }
  await fed
}

async function* measured(content: ZipEntry['content'], sums: Sums) {
  for await (const text of content) {
    const bytes = Buffer.from(text)
    sums.crc = crc32(bytes, sums.crc)
    sums.size += bytes.length
    yield bytes
  }
}

type Field = readonly [width: 2 | 4, value: number]

function numbers(...fields: readonly Field[]) {
  const bytes = Buffer.alloc(fields.reduce((length, [width]) => length + width, 0))
  let at = 0
  for (const [width, value] of fields) at = bytes.writeUIntLE(value, at, width)
  return bytes
}
