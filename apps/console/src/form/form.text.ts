export const form = {
  required: 'This is required.',
  unsaved: 'Leave without saving?',
  unsavedHint: 'What you changed here is not saved yet.',
  keepEditing: 'Keep editing',
  discard: 'Discard changes',
  searchToChoose: 'Type to search',
  noMatches: 'Nothing matches',
  recent: 'Chosen last',
  all: 'All',
  none: 'None',
  andMore_other: 'and {{count, number}} more',
  deleteTitle: 'Delete {{name}}?',
  deleteHint: 'You can undo this right afterwards.',
  removed: 'no longer there',
  hidden: 'not open to you',
} as const

export const conflict = {
  title_one: 'Somebody else changed a field while you were editing',
  title_other: 'Somebody else changed {{count, number}} fields while you were editing',
  field: 'Field',
  before: 'Before',
  theirs: 'Now',
  mine: 'Yours',
  unchanged: 'not changed',
  mineToo: 'You both changed what is marked. Saving puts yours over theirs there, and keeps theirs everywhere else.',
  mineApart: 'You changed other fields. Saving keeps both.',
  loadTheirs: 'Drop mine, take theirs',
  saveMine: 'Save mine over theirs',
  saveBoth: 'Save both',
} as const

export const draft = {
  found: 'You changed this {{at}} and did not save it.',
  takeUp: 'Take it up again',
  drop: 'Drop it',
} as const

declare module '../text/text.ts' {
  interface Texts {
    form: typeof form
    conflict: typeof conflict
    draft: typeof draft
  }
}
