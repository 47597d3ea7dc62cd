import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import type { CredentialNumbers } from '../numbers/credential-numbers.ts'
import { findSealed } from '../numbers/sealed-rows.ts'
import type { ListSearch } from '../query/list-request.ts'

type LookUpInput = { numbers: CredentialNumbers; access: Access; given: ListSearch }

/**
 * Numbers of QR codes and phones are found only if they are given in full: each one in a filter or search becomes the
 * id of its credential. No audit log entry of the request then contains the number.
 */
export async function lookUpNumbers(database: Database, { numbers, access, given }: LookUpInput): Promise<ListSearch> {
  const candidates = [...new Set([...numbersIn(given.filter), ...(given.search === '' ? [] : [given.search])])]
  if (candidates.length === 0) return given
  const accounts = access.reads
  const numberOf = new Map(candidates.map((number) => [numbers.hashOfGiven(number).toString('hex'), number]))
  const hashes = [...numberOf.keys()].map((hash) => Buffer.from(hash, 'hex'))
  const found = await database.readInAccounts({ accounts, signal: access.signal }, (tx) =>
    findSealed(tx, { accounts, hashes }),
  )
  if (found.length === 0) return given
  const foundOf = Map.groupBy(found, ({ hash }) => numberOf.get(hash.toString('hex')))
  const idsOf = (number: string) => (foundOf.get(number) ?? []).map(({ credential }) => credential)
  const filter = withIds(given.filter, idsOf)
  const searched = idsOf(given.search)
  if (searched.length === 0) return { ...given, filter }
  return { filter: { and: [filter, { _id: { in: searched } }] }, search: '' }
}

const terms = z.record(z.string(), z.unknown())
const parts = z.array(z.unknown())

/** The whole numbers that a filter compares with. */
function numbersIn(filter: unknown): string[] {
  const read = terms.safeParse(filter)
  if (!read.success) return []
  return Object.entries(read.data).flatMap(([key, value]) => {
    if (key === 'number') return comparedTo(value)
    if (key === 'not') return numbersIn(value)
    return key === 'and' || key === 'or' ? (parts.safeParse(value).data ?? []).flatMap(numbersIn) : []
  })
}

function comparedTo(value: unknown): string[] {
  const { eq, ne, in: among, nin } = terms.safeParse(value).data ?? { eq: value }
  return [eq, ne, ...(parts.safeParse(among).data ?? []), ...(parts.safeParse(nin).data ?? [])].filter(
    (one) => typeof one === 'string',
  )
}

type IdsOf = (number: string) => string[]

function withIds(filter: unknown, idsOf: IdsOf): unknown {
  const read = terms.safeParse(filter)
  if (!read.success) return filter
  const { number, ...others } = read.data
  const rest = Object.fromEntries(Object.entries(others).map(([key, value]) => [key, below(key, { value, idsOf })]))
  if (comparedTo(number).flatMap(idsOf).length === 0) return number === undefined ? rest : { number, ...rest }
  const comparisons = Object.entries(terms.safeParse(number).data ?? { eq: number })
  return { and: [...comparisons.map(([op, operand]) => comparison({ op, operand, idsOf })), rest] }
}

function below(key: string, { value, idsOf }: { value: unknown; idsOf: IdsOf }) {
  if (key === 'not') return withIds(value, idsOf)
  const list = key === 'and' || key === 'or' ? parts.safeParse(value).data : undefined
  return list?.map((part) => withIds(part, idsOf)) ?? value
}

type Comparison = { op: string; operand: unknown; idsOf: IdsOf }

function comparison({ op, operand, idsOf }: Comparison): unknown {
  const values = op === 'eq' || op === 'ne' ? [operand] : parts.safeParse(operand).data
  const positive = { ne: 'eq', nin: 'in' }[op]
  if (positive !== undefined) return { not: comparison({ op: positive, operand, idsOf }) }
  if (!values || (op !== 'eq' && op !== 'in')) return { number: { [op]: operand } }
  const hidden = values.map((value) => (typeof value === 'string' ? idsOf(value) : []))
  const open = values.filter((_, index) => hidden[index]?.length === 0)
  const ids = hidden.flat()
  return { or: [...(open.length > 0 ? [{ number: { in: open } }] : []), { _id: { in: ids } }] }
}
