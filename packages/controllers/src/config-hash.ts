import { createHash, type Hash } from 'node:crypto'
import { type ConfigDocument, sectionOf } from '@portcullis/domain/configuration/config-delta'

/** Of the fields: holders and credentials come first, because they are long and most changes do not concern them. */
const leadingFields = 2

/** The hash of the text up to the end of the leading fields, by the first of these. */
const hashes = new WeakMap<object, { readonly leading: readonly Field[]; readonly hash: Hash }>()
type Field = readonly [name: string, value: unknown]

/** SHA-256, in hex, of a configuration's text. It is continued from leading fields that are the same objects as before. */
export function hashOfConfig(config: ConfigDocument): string {
  const leading = Object.entries(config).slice(0, leadingFields)
  const [[, first] = []] = leading
  const known = hashes.get(sectionOf(first))
  const isSame = known?.leading.every(([name, value], at) => name === leading[at]?.[0] && value === leading[at][1])
  const hash = known && isSame ? known.hash : createHash('sha256').update(`{${leading.map(textOf).join(',')}`)
  hashes.set(sectionOf(first), { leading, hash })
  return hash.copy().update(textAfterLeading(config)).digest('hex')
}

/** Hashes the leading fields of a configuration from the bytes that contained it, which saves writing them as text. */
export function hashLeadingFields(config: ConfigDocument, bytes: Uint8Array) {
  const leading = Object.entries(config).slice(0, leadingFields)
  const rest = Buffer.byteLength(textAfterLeading(config))
  const hash = createHash('sha256').update(bytes.subarray(0, bytes.length - rest))
  hashes.set(sectionOf(leading[0]?.[1]), { leading, hash })
}

/** Their text may differ from that of the bytes that contained them. */
export function forgetLeadingFields(config: ConfigDocument) {
  hashes.delete(sectionOf(Object.values(config)[0]))
}

function textAfterLeading(config: ConfigDocument) {
  const rest = Object.entries(config).slice(leadingFields)
  return `${rest.map((field) => `,${textOf(field)}`).join('')}}`
}

function textOf([name, value]: Field) {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`
}
