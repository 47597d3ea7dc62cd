import type { AccountNode } from '@portcullis/contract/calls/authentication'
import { expect, test } from 'vitest'
import { refFrom } from './account-drawer.tsx'
import { treeRows, treeStep } from './tree-rows.ts'

function account(name: string, ...children: AccountNode[]): AccountNode {
  return { _id: name, ref: name, name, status: 'active', children }
}

const tree = [account('group', account('logistics', account('couriers')), account('labs'))]
const namesOf = (closed: readonly string[]) => treeRows(tree, new Set(closed)).map(({ node }) => node.name)
const step = (at: number, key: string, closed: readonly string[] = []) =>
  treeStep(treeRows(tree, new Set(closed)), { at, key })

test('§3 account tree: a collapsed account hides all accounts below it', () => {
  expect(namesOf([])).toEqual(['group', 'logistics', 'couriers', 'labs'])
  expect(namesOf(['logistics'])).toEqual(['group', 'logistics', 'labs'])
  expect(namesOf(['group'])).toEqual(['group'])
})

test('§4 keyboard: right opens an account and then enters it, left closes it and then leaves it', () => {
  expect(step(1, 'ArrowRight', ['logistics'])).toEqual({ open: 'logistics' })
  expect(step(1, 'ArrowRight')).toEqual({ to: 2 })
  expect(step(2, 'ArrowRight')).toBeUndefined()
  expect(step(1, 'ArrowLeft')).toEqual({ close: 'logistics' })
  expect(step(2, 'ArrowLeft')).toEqual({ to: 1 })
  expect(step(1, 'ArrowLeft', ['logistics'])).toEqual({ to: 0 })
})

test('§4 keyboard: arrows stop at the ends of the tree, Home and End go there', () => {
  expect([step(0, 'ArrowUp'), step(3, 'ArrowDown')]).toEqual([{ to: 0 }, { to: 3 }])
  expect([step(2, 'Home'), step(0, 'End')]).toEqual([{ to: 0 }, { to: 3 }])
})

test.each([
  ['Acme HQ', 'acme-hq'],
  ['Zoë’s Café, North', 'zoes-cafe-north'],
  ['7th Street', 'th-street'],
  ['東京', ''],
])('the ref that is offered for %s is %j', (name, ref) => {
  expect(refFrom(name)).toBe(ref)
})
