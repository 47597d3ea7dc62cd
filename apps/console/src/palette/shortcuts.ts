import { text } from '../text/text.ts'

/** After `g`: where a letter leads, inside the account. */
export const goTo = {
  s: '/sites',
  c: '/units',
  a: '/rules/list',
  h: '/rules/schedules',
  e: '/events/list',
  u: '/users/list',
} as const

export type GoKey = keyof typeof goTo

export function isGoKey(key: string): key is GoKey {
  return key in goTo
}

type Shortcut = { keys: readonly string[]; label: string }

/** The keys and their effects, as the dialog lists them. */
export const shortcuts: readonly { heading: string; entries: readonly Shortcut[] }[] = [
  {
    heading: text('palette.keys.everywhere'),
    entries: [
      { keys: ['Ctrl', 'K'], label: text('palette.keys.palette') },
      { keys: ['?'], label: text('palette.keys.help') },
      { keys: ['/'], label: text('palette.keys.search') },
      { keys: ['N'], label: text('palette.keys.add') },
      { keys: ['Esc'], label: text('palette.keys.close') },
    ],
  },
  {
    heading: text('palette.keys.goTo'),
    entries: [
      { keys: ['G', 'S'], label: text('shell.sites') },
      { keys: ['G', 'C'], label: text('shell.controllers') },
      { keys: ['G', 'A'], label: text('shell.manageAccess') },
      { keys: ['G', 'H'], label: text('shell.manageSchedules') },
      { keys: ['G', 'E'], label: text('shell.accessEvents') },
      { keys: ['G', 'U'], label: text('shell.users') },
    ],
  },
  {
    heading: text('palette.keys.inLists'),
    entries: [
      { keys: ['↑', '↓'], label: text('palette.keys.rows') },
      { keys: [text('palette.keys.enter')], label: text('palette.keys.open') },
      { keys: [text('palette.keys.space')], label: text('palette.keys.select') },
    ],
  },
]
