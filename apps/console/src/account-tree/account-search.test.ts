import type { AccountNode } from '@portcullis/contract/calls/authentication'
import { expect, test } from 'vitest'
import { flatAccounts, foundAccounts } from './account-search.ts'

function account(name: string, ...children: AccountNode[]): AccountNode {
  return { _id: name, ref: name.toLowerCase(), name, status: 'active', children }
}

const tree = [
  account('Zulu Estates'),
  account('Harbour Group', account('Cold Store South'), account('Cold Store North')),
]

function names(search: string) {
  return flatAccounts(foundAccounts(tree, search)).map(({ node, depth }) => `${'- '.repeat(depth)}${node.name}`)
}

test('§4 account search: without words all accounts are listed, sorted by name at every level', () => {
  expect(names('')).toEqual(['Harbour Group', '- Cold Store North', '- Cold Store South', 'Zulu Estates'])
})

test('§4 account search: parents of matches stay, and upper and lower case match alike', () => {
  expect(names('NORTH')).toEqual(['Harbour Group', '- Cold Store North'])
})

test('§4 account search: a matching parent does not add its other children', () => {
  expect(names('harbour')).toEqual(['Harbour Group'])
})

test('§4 account search: no match lists nothing', () => {
  expect(names('nowhere')).toEqual([])
})
