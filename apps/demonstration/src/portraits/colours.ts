/** Soft grounds that stand on a light page and on a dark one. */
export const grounds = [
  '#dfe7f5',
  '#d5e8e1',
  '#f3e3d3',
  '#e9dff0',
  '#f5dcdc',
  '#dcebf0',
  '#eee8cf',
  '#d9dfe8',
  '#e1ecd2',
  '#f0dfe8',
  '#d3e3ee',
  '#e8e2da',
] as const

/** A skin, and the same in shade. */
export const skins = [
  { light: '#fbdfd0', shade: '#ecbfa9' },
  { light: '#f6cfb4', shade: '#e2ab8a' },
  { light: '#eebd97', shade: '#d79a70' },
  { light: '#e2ab80', shade: '#c5875b' },
  { light: '#d0956a', shade: '#b07348' },
  { light: '#b97d54', shade: '#985f39' },
  { light: '#9c6642', shade: '#7c4c2d' },
  { light: '#7f5036', shade: '#613a25' },
  { light: '#6d4732', shade: '#4b2e20' },
  { light: '#5a3a2b', shade: '#3b241a' },
] as const

export const hairColours = [
  '#1d1a1c',
  '#2b2220',
  '#3d2b22',
  '#57392a',
  '#7a4f33',
  '#a3713f',
  '#cfa467',
  '#b4532a',
  '#8f9095',
  '#c3c4c6',
  '#e7e4de',
] as const

export const coverColours = [
  '#3f5d7d',
  '#7b4b62',
  '#2f6b62',
  '#c7a24b',
  '#5d4a7a',
  '#a4573f',
  '#1f2a3d',
  '#8aa1a8',
  '#d9c8b4',
  '#6b7f3a',
] as const

export const clothesColours = [
  '#2f4a6d',
  '#51708f',
  '#7a8ba0',
  '#3d6657',
  '#7d9a77',
  '#8c4a4f',
  '#b9705c',
  '#5b4b74',
  '#2c323c',
  '#9a8f7f',
  '#c9a45a',
] as const

export const ink = '#2a2325'
