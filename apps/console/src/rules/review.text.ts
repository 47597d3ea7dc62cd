export const review = {
  title: 'Review',
  again: 'Review again',
  nothing: 'Nothing to fix',
  nothingHint:
    'All rules apply, none repeats or contradicts another, and all users with a usable credential have access.',
  kinds: {
    denied: 'Contradictions',
    never_applies: 'Rules that never apply',
    same: 'Equal rules',
    contained: 'Overlaps',
  },
  reasons: {
    who: 'None of its users has a current membership.',
    where: 'It names no door.',
    reader: 'Its doors have no reader in its direction.',
    schedule: 'Its schedule has no hours.',
    ended: 'Its time limit has passed.',
  },
  same: 'It has the same users, doors, direction and times as {{other}}.',
  contained: 'All its users, doors and times are covered by {{other}}.',
  denied: {
    all: '{{other}} denies all of it, to {{cardholders}}.',
    some: '{{other}} denies part of it, to {{cardholders}}.',
  },
  cardholders_one: '{{count, number}} cardholder',
  cardholders_other: '{{count, number}} cardholders',
  hiddenRule: 'A rule that you cannot see',
  openSchedule: 'Open schedule',
  disable: 'Disable {{name}}',
  disableTitle: 'Disable {{name}}?',
  disableConfirm: 'Disable',
  disabled: '{{name}} is disabled',
  moreFindings_one: '{{count, number}} more finding. Resolve these first, then review again.',
  moreFindings_other: '{{count, number}} more findings. Resolve these first, then review again.',
  partial: 'There are too many rules and users to examine all of them. Resolve these first, then review again.',
  users: 'Users with no access',
  usersHint_one: '{{count, number}} user holds a usable credential, but can open no door within eight weeks.',
  usersHint_other: '{{count, number}} users hold a usable credential, but can open no door within eight weeks.',
  giveAccess: 'Give access',
  giveAccessTo: 'Give access to {{name}}',
  explore: 'Explore',
  exploreOf: 'Explore what {{name}} can open',
} as const

declare module '../text/text.ts' {
  interface Texts {
    review: typeof review
  }
}
