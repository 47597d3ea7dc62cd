import { brand } from './brand.ts'

/**
 * Every colour of the console, light and dark; the accents belong to the brand. They reach the style sheets as custom properties:
 * `--ground`, `--line-soft`.
 */
export const light = {
  ground: '#f6f7f9',
  panel: '#ffffff',
  band: '#fafbfc',
  line: '#e3e6eb',
  'line-soft': '#eef0f3',
  ink: '#16202e',
  soft: '#55606f',
  ...brand.light,
  ok: '#116b3c',
  'ok-ground': '#e5f5ec',
  no: '#a61b29',
  'no-hover': '#8c1521',
  'no-ground': '#fdecee',
  'on-no': '#ffffff',
  warn: '#8a4b00',
  'warn-ground': '#fff3df',
  person: '#3d4a63',
  'on-person': '#ffffff',
  veil: 'rgb(16 24 40 / 0.4)',
  shadow: '0 1px 2px rgb(16 24 40 / 0.06), 0 8px 24px rgb(16 24 40 / 0.08)',
} as const

type Tokens = Record<keyof typeof light, string>

export const dark: Tokens = {
  ground: '#0e131b',
  panel: '#151c27',
  band: '#121822',
  line: '#263040',
  'line-soft': '#1e2734',
  ink: '#e8ecf2',
  soft: '#a3aebd',
  ...brand.dark,
  ok: '#7fdca6',
  'ok-ground': '#12301f',
  no: '#ff9aa5',
  'no-hover': '#ffb3bb',
  'no-ground': '#3a151b',
  'on-no': '#0e131b',
  warn: '#ffc670',
  'warn-ground': '#352408',
  person: '#3d4a63',
  'on-person': '#ffffff',
  veil: 'rgb(0 0 0 / 0.6)',
  shadow: '0 8px 28px rgb(0 0 0 / 0.5)',
}
