import { expect, test } from 'vitest'
import { defineCall, fillPath, isGuarded, nameOf, pathOf } from './call.ts'

const lend = defineCall({
  id: 'lend',
  method: 'GET',
  path: '/api/keys/{id}/lend/{token}',
  tag: 'keys',
  summary: 'Lend a key',
  access: 'none',
  params: { id: 'The _id of the key.', token: 'The secret.' },
  returns: 'The key is lent.',
})

test('a path contains the escaped values of its parameters', () => {
  expect(pathOf(lend, { id: 'a/b', token: 'c?d' })).toBe('/api/keys/a%2Fb/lend/c%3Fd')
  expect(fillPath('/api/keys', {})).toBe('/api/keys')
  expect(nameOf(lend)).toBe('GET /api/keys/{id}/lend/{token}')
})

test('a read is guarded only if it has an effect; a write is always guarded', () => {
  expect(isGuarded(lend)).toBe(false)
  expect(isGuarded({ ...lend, hasEffect: true })).toBe(true)
  expect(isGuarded({ ...lend, method: 'POST' })).toBe(true)
})
