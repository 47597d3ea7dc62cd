import { readdir, readFile } from 'node:fs/promises'
import { brandKeys, brands } from '@portcullis/contract/brands'
import { expect, test } from 'vitest'

const folder = new URL('../../../console/public/brands/', import.meta.url)

test('every brand has a folder of pictures, and there are no other folders', async () => {
  expect((await readdir(folder)).toSorted()).toEqual(brandKeys.toSorted())
})

test.each(Object.values(brands))(
  '$key: logo, icon, favicon, and a light logo if the brand has one',
  async ({ key, logos }) => {
    const light = logos === 'light' ? ['logo-light.svg'] : []
    const names = await readdir(new URL(`${key}/`, folder))
    expect(names.toSorted()).toEqual(['favicon.svg', 'icon.svg', 'logo.svg', ...light].toSorted())
    for (const name of names) {
      const picture = await readFile(new URL(`${key}/${name}`, folder), 'utf8')
      expect(picture).toMatch(/^<svg [^>]*viewBox="0 0 \d+ 32"/)
      // Pictures must not load or run anything.
      expect(picture).not.toMatch(/<script|href=|<foreignObject|\son\w+=/i)
    }
  },
)

test('§1 some brands use a light logo, some do not', () => {
  expect(new Set(Object.values(brands).map(({ logos }) => logos)).size).toBe(2)
})
