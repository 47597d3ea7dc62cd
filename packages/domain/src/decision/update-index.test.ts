import { expect, test } from 'vitest'
import type { Door, Rule } from '../policy.ts'
import { door, rule, user } from '../sample-policy.ts'
import { emptyIndex, subjectKey, type UpdatableIndex } from './policy-index.ts'
import { changeMembers, setItems } from './update-index.ts'

const few = 500
const many = 4 * few
const nomsa = { kind: 'User', id: 'nomsa' } as const

test('changing the doors of one site in any order costs about as much for each door, however many there are', () => {
  const reads = (count: number) => readsOfChanges(count, (id) => ({ list: 'doors', item: door({ _id: id }) }))
  expect(reads(many)).toBeLessThan(6 * reads(few))
})

test('changing the rules of one user and door costs about as much for each rule, however many there are', () => {
  const reads = (count: number) => readsOfChanges(count, (id) => ({ list: 'rules', item: rule({ _id: id }) }))
  expect(reads(many)).toBeLessThan(6 * reads(few))
})

test('a long list is changed where it is, and sorted by id after every change', () => {
  const index = emptyIndex()
  const ids = shuffled(many)
  const middle = ids.length / 2
  for (const id of ids.slice(0, middle)) setItems(index, { list: 'rules', id, items: [rule({ _id: id })] })
  const list = index.rulesByWho.get(subjectKey(nomsa))
  for (const id of ids.slice(middle)) setItems(index, { list: 'rules', id, items: [rule({ _id: id })] })
  for (const id of ids.slice(0, few)) setItems(index, { list: 'rules', id, items: [] })
  for (const id of ids.slice(few, middle)) setItems(index, { list: 'rules', id, items: [rule({ _id: id, name: 'b' })] })
  expect(index.rulesByWho.get(subjectKey(nomsa))).toBe(list)
  expect(list?.map(({ _id }) => _id)).toEqual(ids.slice(few).sort())
  expect(list?.filter(({ name }) => name === 'b')).toHaveLength(middle - few)
})

test('the groups of one member stay sorted while it joins and leaves', () => {
  const index = emptyIndex()
  setItems(index, { list: 'users', id: 'nomsa', items: [user()] })
  const ids = shuffled(few)
  for (const group of ids) {
    setItems(index, { list: 'userGroups', id: group, items: [{ _id: group, account: 'acme', name: group }] })
    changeMembers(index, { list: 'userGroups', group, added: ['nomsa'], removed: [] })
  }
  const list = index.userGroups.groupsOf.get('nomsa')
  for (const group of ids.slice(0, 100))
    changeMembers(index, { list: 'userGroups', group, added: [], removed: ['nomsa'] })
  expect(index.userGroups.groupsOf.get('nomsa')).toBe(list)
  expect(list).toEqual(ids.slice(100).sort())
})

type Item = { list: 'doors'; item: Door } | { list: 'rules'; item: Rule }

/** How often ids are read while items are added, replaced and removed. */
function readsOfChanges(count: number, make: (id: string) => Item) {
  const index = emptyIndex()
  let reads = 0
  const counting = <T extends { readonly _id: string }>(item: T): T =>
    Object.defineProperty({ ...item }, '_id', {
      get: () => {
        reads++
        return item._id
      },
      enumerable: true,
    })
  for (const change of ['add', 'replace', 'remove'] as const) {
    for (const id of shuffled(count)) set(index, { id, made: make(id), counting, isRemoved: change === 'remove' })
  }
  return reads
}

type SetInput = {
  id: string
  made: Item
  counting: <T extends { readonly _id: string }>(item: T) => T
  isRemoved: boolean
}

function set(index: UpdatableIndex, { id, made, counting, isRemoved }: SetInput) {
  if (made.list === 'doors') setItems(index, { list: 'doors', id, items: isRemoved ? [] : [counting(made.item)] })
  else setItems(index, { list: 'rules', id, items: isRemoved ? [] : [counting(made.item)] })
}

/** Ids in an order that is neither ascending nor descending, the same every time. */
function shuffled(count: number) {
  return Array.from({ length: count }, (_, place) => `id-${String((place * 7919) % count).padStart(6, '0')}`)
}
