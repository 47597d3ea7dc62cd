export const form = {
  required: 'This is required.',
  unsaved: 'Leave without saving?',
  unsavedHint: 'Your changes have not been saved.',
  keepEditing: 'Keep editing',
  discard: 'Discard changes',
  searchToChoose: 'Type to search',
  noMatches: 'No results',
  recent: 'Recent',
  all: 'All',
  none: 'None',
  more_other: '{{count, number}} more',
  andMore_other: 'and {{count, number}} more',
  deleteTitle: 'Delete {{name}}?',
  deleteHint: 'You can undo this afterwards.',
  removed: 'deleted',
  hidden: 'no access',
} as const

export const conflict = {
  title_one: 'Another user changed a field while you were editing',
  title_other: 'Another user changed {{count, number}} fields while you were editing',
  field: 'Field',
  before: 'Before',
  theirs: 'Now',
  mine: 'Yours',
  unchanged: 'not changed',
  mineToo:
    'You and the other user changed the marked fields. Saving replaces the other user’s values there and keeps their other changes.',
  mineApart: 'You and the other user changed different fields. Saving keeps all changes.',
  loadTheirs: 'Discard my changes',
  saveMine: 'Save my changes',
  saveBoth: 'Save both',
} as const

export const draft = {
  found: 'You have unsaved changes from {{at}}.',
  takeUp: 'Restore draft',
  drop: 'Discard draft',
} as const

export const room = {
  title: 'There is no room for all of it',
  unit: '{{name}} has room for {{most}} and would need {{needs}}.',
  atDoors: 'At these doors: {{names}}.',
  moreUnits_one: 'There is no room on {{count, number}} more controller.',
  moreUnits_other: 'There is no room on {{count, number}} more controllers.',
  hiddenUnits: 'Controllers that you may not see have no room for all of it either.',
  cardholders_one: 'Credentials of {{count, number}} more cardholder would be denied at its doors.',
  cardholders_other: 'Credentials of {{count, number}} more cardholders would be denied at its doors.',
  named: 'Among them: {{names}}.',
  doors: 'These doors would not work: {{names}}.',
  schedules:
    'These schedules would be left out, so that allow rules with them grant no access and deny rules always apply: {{names}}.',
  notExamined_one: '{{count, number}} more controller that is nearly full was not checked.',
  notExamined_other: '{{count, number}} more controllers that are nearly full were not checked.',
  credentials_one: '{{count, number}} credential',
  credentials_other: '{{count, number}} credentials',
  doorCount_one: '{{count, number}} door',
  doorCount_other: '{{count, number}} doors',
  scheduleCount_one: '{{count, number}} schedule',
  scheduleCount_other: '{{count, number}} schedules',
  unchecked: '{{message}}. Room on controllers was not checked.',
  changed: 'The form changed while it was checked, and was not saved. Save it again.',
  saveAnyway: 'Save anyway',
} as const

export const effects = {
  show: 'Show who gains and loses access',
  title: 'Effects of this change',
  none: 'No one gains or loses access in the next eight weeks.',
  gained_one: '{{count, number}} cardholder gains access at {{doors}}',
  gained_other: '{{count, number}} cardholders gain access at {{doors}}',
  lost_one: '{{count, number}} cardholder loses access at {{doors}}',
  lost_other: '{{count, number}} cardholders lose access at {{doors}}',
  losing: 'Losing access',
  gaining: 'Gaining access',
  doors_one: '{{count, number}} door',
  doors_other: '{{count, number}} doors',
  hidden_one: '{{count, number}} cardholder whom you may not see',
  hidden_other: '{{count, number}} cardholders whom you may not see',
  always: 'At all times',
  noRoom:
    'Other cardholders may lose access too, because their credentials no longer fit on a controller. They are not counted here.',
  tooMany: 'Too many cardholders and doors are concerned to list who gains and loses access.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    form: typeof form
    conflict: typeof conflict
    draft: typeof draft
    room: typeof room
    effects: typeof effects
  }
}
