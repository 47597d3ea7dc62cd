import { expect, test } from 'vitest'
import { matchWords } from './match-words.ts'

const entries = ['Add site', 'Sites', 'Access Control › Manage Access', 'Site groups', 'Café Zoë'].map((label) => ({
  label,
}))
const found = (typed: string) => matchWords(entries, typed).map(({ label }) => label)

test('§4 palette: nothing typed leaves everything in its order', () => {
  expect(found('  ')).toEqual(entries.map(({ label }) => label))
})

test('§4 palette: every word must be there, in any order and any case', () => {
  expect(found('ACCESS manage')).toEqual(['Access Control › Manage Access'])
  expect(found('site add')).toEqual(['Add site'])
  expect(found('door')).toEqual([])
})

test('§4 palette: accents may be typed or left out', () => {
  expect(found('cafe zoe')).toEqual(['Café Zoë'])
  expect(found('café')).toEqual(['Café Zoë'])
})

test('§4 palette: names that begin with the word are listed before names that contain it', () => {
  const labels = matchWords([{ label: 'Opposites' }, { label: 'Sites' }], 'sites').map(({ label }) => label)
  expect(labels).toEqual(['Sites', 'Opposites'])
})
