import { crc32, inflateRawSync } from 'node:zlib'

/** Reads a zip's directory and returns its files as texts, after checking their checksums. */
export function unzip(bytes: Buffer) {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  const files = new Map<string, string>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [packed, size] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)]
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const start = bytes.readUInt32LE(at + 42) + 30 + nameLength
    const content = inflateRawSync(bytes.subarray(start, start + packed))
    if (content.length !== size || crc32(content) !== bytes.readUInt32LE(at + 16)) throw new Error(`${name} is damaged`)
    files.set(name, content.toString('utf8'))
    at += 46 + nameLength
  }
  return files
}

/** The cells of a sheet by reference, such as `A1`, as a spreadsheet would read them. */
export function cellsOf(sheet: string) {
  const cells = new Map<string, string | number | boolean>()
  for (const [, place = '', attributes = '', content = ''] of sheet.matchAll(/<c r="(\w+)"([^>]*)>(.*?)<\/c>/gs)) {
    const [, text] = /<t(?: xml:space="preserve")?>(.*)<\/t>/s.exec(content) ?? []
    const [, value = ''] = /<v>(.*)<\/v>/.exec(content) ?? []
    const plain = attributes.includes('t="b"') ? value === '1' : Number(value)
    cells.set(place, text === undefined ? plain : read(text))
  }
  return cells
}

function read(text: string) {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_match, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
