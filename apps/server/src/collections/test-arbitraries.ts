import fc from 'fast-check'
import { z } from 'zod'

export type JsonSchema = Readonly<Record<string, unknown>>

const list = z.array(z.record(z.string(), z.unknown()))
const read = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: list.optional(),
  oneOf: list.optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  minLength: z.int().default(0),
  maxLength: z.int().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  items: z.record(z.string(), z.unknown()).optional(),
  minItems: z.int().default(0),
  maxItems: z.int().optional(),
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  required: z.array(z.string()).default([]),
})
type Read = z.output<typeof read>

const letters = fc.constantFrom(
  'a',
  'Z',
  '0',
  '9',
  ' ',
  '-',
  '_',
  '.',
  ',',
  "'",
  '"',
  '\\',
  '/',
  '<',
  '%',
  '=',
  'é',
  'ß',
  'İ',
  'ñ',
  'Ω',
  'ع',
  '漢',
  'あ',
  '👩🏽‍🚒',
  'e\u0301',
  '\u202e',
  '\u00a0',
)

/** Unlike those of fast-check, with letters of many scripts and their surprises: these are stored, sorted and searched. */
const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 24, unit: letters }) },
  { weight: 1, arbitrary: fc.constantFrom('Ω‮', 'İstanbul', '🏛️', "O'Brien", 'a%b_c\\d', '<b>', '=1+1', 'null', '   ') },
)

/** Values that match a JSON schema, as far as the schema says: the refinements of its zod schema are not part of it. */
export function arbitraryOf(
  schema: JsonSchema,
  named: Readonly<Record<string, JsonSchema>> = {},
): fc.Arbitrary<unknown> {
  /** Schemas that refer to themselves several times would otherwise be built as often as their depth allows. */
  const referred = new Map<string, fc.Arbitrary<unknown>>()
  return build(schema, 0)

  function build(from: JsonSchema, depth: number): fc.Arbitrary<unknown> {
    const schema = read.parse(from)
    if (schema.$ref !== undefined) return refer(schema.$ref, depth)
    if ('const' in from) return fc.constant(from['const'])
    if (schema.enum) return fc.constantFrom(...schema.enum)
    const parts = schema.anyOf ?? schema.oneOf
    if (parts) return fc.oneof(...parts.map((part) => build(part, depth + 1)))
    if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => ofType(type, { schema, depth })))
    return schema.type === undefined ? fc.jsonValue({ maxDepth: 2 }) : ofType(schema.type, { schema, depth })
  }

  function refer(name: string, depth: number) {
    const key = `${name} ${depth}`
    const target = named[name.split('/').at(-1) ?? '']
    const arbitrary = referred.get(key) ?? (depth > maxDepth || !target ? fc.constant({}) : build(target, depth + 1))
    referred.set(key, arbitrary)
    return arbitrary
  }

  function ofType(type: string, { schema, depth }: { schema: Read; depth: number }): fc.Arbitrary<unknown> {
    switch (type) {
      case 'string':
        return stringOf(schema)
      case 'integer':
        return integerOf(schema)
      case 'number':
        return fc.oneof(
          integerOf(schema),
          fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true }),
        )
      case 'boolean':
        return fc.boolean()
      case 'array':
        return fc.array(build(schema.items ?? {}, depth + 1), arrayBounds(schema))
      case 'object':
        return objectOf(schema, depth)
      default:
        return fc.constant(null)
    }
  }

  function objectOf({ properties, required }: Read, depth: number) {
    const fields = Object.entries(properties).map(([name, field]) => [name, build(field, depth + 1)] as const)
    return fc.record(Object.fromEntries(fields), { requiredKeys: required.filter((name) => name in properties) })
  }
}

const maxDepth = 5

function stringOf({ format, pattern, minLength, maxLength }: Read): fc.Arbitrary<string> {
  switch (format) {
    case 'uuid':
      return fc.uuid({ version: 7 })
    case 'email':
      return fc.emailAddress().filter((email) => /^[\w.+-]+@[\w.-]+$/.test(email))
    case 'date':
      return day.map((date) => date.toISOString().slice(0, 10))
    case 'date-time':
      return day.map((date) => date.toISOString())
    default:
      return plainText({ pattern, minLength, maxLength })
  }
}

function plainText({ pattern, minLength, maxLength = 24 }: Pick<Read, 'pattern' | 'minLength' | 'maxLength'>) {
  if (pattern !== undefined) return matching(new RegExp(pattern, 'u'))
  return text.map((value) => value.slice(0, maxLength).toWellFormed().padEnd(minLength, 'x'))
}

const samples = [
  'a',
  'harbour-1',
  'Gate 7',
  '4711',
  '08:30',
  '23:59',
  '2026-01-01',
  '+27 21 555-0100',
  'x.y:z',
  'a'.repeat(40),
]

/** Random texts where they match; fast-check makes them from the pattern itself, slowly where it allows most characters. */
function matching(pattern: RegExp) {
  const fitting = samples.filter((sample) => pattern.test(sample))
  const [first] = fitting
  if (first === undefined) return fc.stringMatching(pattern)
  return fc.oneof(
    fc.constantFrom(...fitting),
    text.map((value) => (pattern.test(value) ? value : first)),
  )
}

const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })

function integerOf({ minimum = -(2 ** 31), maximum = 2 ** 31 - 1 }: Read) {
  return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum))
}

function arrayBounds({ minItems, maxItems = 4 }: Read) {
  return { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 4)) }
}
