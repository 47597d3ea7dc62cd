import { type Brand, brands } from '@portcullis/contract/brands'
import { describe, expect, test } from 'vitest'
import { dark, light } from './tokens.ts'

/** WCAG 2.2, 1.4.3: text against its background. */
const least = 4.5

const grounds = ['ground', 'panel', 'band', 'line-soft'] as const

const pairs = [
  ...grounds.flatMap((ground) => [['accent', ground] as const, ['accent-hover', ground] as const]),
  ['accent', 'accent-ground'],
  ['ink', 'accent-ground'],
  ['soft', 'accent-ground'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
] as const

describe.each(Object.values(brands))('the colours of $product', (brand: Brand) => {
  const schemes = { light: { ...light, ...brand.light }, dark: { ...dark, ...brand.dark } }

  test.each(['light', 'dark'] as const)('can be read in the %s scheme', (scheme) => {
    const colours = schemes[scheme]
    const faint = pairs
      .map(([letters, ground]) => ({ letters, ground, ratio: contrast(colours[letters], colours[ground]) }))
      .filter(({ ratio }) => ratio < least)
    expect(faint).toEqual([])
  })
})

test('contrast is measured as the guidelines define it', () => {
  expect(contrast('#ffffff', '#000000')).toBe(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

function contrast(one: string, other: string) {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string) {
  const [, ...parts] = /^#(..)(..)(..)$/.exec(colour) ?? []
  expect(parts, colour).toHaveLength(3)
  const [red = 0, green = 0, blue = 0] = parts.map((part) => linear(Number.parseInt(part, 16) / 255))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linear(value: number) {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}
