import { describe, expect, test } from 'vitest'
import { translationFaults, unusedKeys } from './text-keys.ts'

describe('a translation', () => {
  const english = new Map([
    ['sites.title', 'Sites'],
    ['list.rows_one', '{{count, number}} row'],
    ['list.rows_other', '{{count, number}} rows'],
  ])
  const spanish = new Map([
    ['sites.title', 'Sitios'],
    ['list.rows_one', '{{count, number}} fila'],
    ['list.rows_other', '{{count, number}} filas'],
  ])
  const faultsOf = (translated: Map<string, string>) => translationFaults({ english, translated, language: 'Spanish' })

  test('passes with every text and the same parameters', () => {
    expect(faultsOf(spanish)).toEqual([])
  })

  test('may have more plural forms than English', () => {
    expect(faultsOf(new Map([...spanish, ['list.rows_many', '{{count, number}} de filas']]))).toEqual([])
  })

  test.each([
    ['lacks a text', new Map([...spanish].slice(1)), 'sites.title: missing in Spanish'],
    ['has a text of its own', new Map([...spanish, ['sites.extra', 'Más']]), 'sites.extra: only in Spanish'],
    [
      'has another parameter',
      new Map([...spanish, ['list.rows_one', '{{total}} fila']]),
      'list.rows_one: Spanish has the parameters {{total}}, English {{count, number}}',
    ],
  ])('fails if it %s', (_what, translated, fault) => {
    expect(faultsOf(translated)).toEqual([fault])
  })
})

test('an unused text is found; literals, templates, plural forms and labels count as uses', () => {
  const keys = ['a.literal', 'a.counted_one', 'a.counted_other', 'state.open', 'a.deep.one', 'sites.name', 'a.planted']
  const texts = new Map(keys.map((key) => [key, '']))
  const sources = ["text('a.literal'); text('a.counted', { count })", 'text(`state.${state}`); text(`a.deep.${name}`)']
  const isLabel = (key: string) => key === 'sites.name'
  expect(unusedKeys({ texts, sources, isLabel })).toEqual(['a.planted'])
})
