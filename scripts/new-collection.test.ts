import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { namesOf } from './new-collection-names.ts'
import { piecesOf } from './new-collection-pieces.ts'

const root = join(import.meta.dirname, '..')

test('the name of a collection is converted to every form that its files need', () => {
  expect(namesOf('visitorBadges')).toMatchObject({
    entity: 'visitorBadge',
    folder: 'visitor-badges',
    table: 'visitor_badge',
    screen: 'VisitorBadgesScreen',
    title: 'Visitor badges',
  })
  expect(namesOf('deliveries').entity).toBe('delivery')
  expect(() => namesOf('visitor-badge')).toThrow('use a plural of letters only')
})

test('every place for a line of a new collection exists exactly once', async () => {
  const placed = piecesOf({ names: namesOf('visitorBadges'), migration: '0099' }).filter(({ before }) => before)
  expect(placed).toHaveLength(4)
  for (const { file, before = '' } of placed) {
    const text = await readFile(join(root, file), 'utf8')
    expect(text.split(before), `${file}: ${before}`).toHaveLength(2)
  }
})
