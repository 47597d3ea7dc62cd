import { expect, test } from 'vitest'
import { stiltedWords, subjectFaults } from './word-lint.ts'

test.for([
  [
    'a comment',
    'a.ts',
    '/** Whoever asks. */\nexport const a = 1',
    'a.ts:1: "Whoever", use the user, or clients that …',
  ],
  ['a comment at the end of a line', 'a.ts', 'export const a = 1 // asked anew', 'a.ts:1: "anew", use again'],
  [
    'a text',
    'a.text.ts',
    "\nexport const a = 'Nobody is due'",
    'a.text.ts:2: "Nobody", use another user, no users or all users',
  ],
  ['a text of one word', 'a.text.ts', "export const a = 'Wanted'", 'a.text.ts:1: "Wanted", use desired or requested'],
  [
    'the name of a type',
    'a.ts',
    'export const a = 1\nexport type Asked = string',
    'a.ts:2: "Asked", use a name that says what the value holds',
  ],
  [
    'the name of an interface',
    'a.ts',
    'interface DoorsWanted { a: 1 }',
    'a.ts:1: "Wanted", use a name that says what the value holds',
  ],
  ['a template', 'a.ts', 'fail(`${door} is told`)', 'a.ts:1: "told", use report, show, return or notify'],
  [
    'the name of a test',
    'a.test.ts',
    "test('stands in the list', run)",
    'a.test.ts:1: "stands in", use appears in, is shown at',
  ],
  ['words in JSX', 'a.tsx', 'export const a = <p>Your e-mail</p>', 'a.tsx:1: "e-mail", use email'],
  [
    'a comment in SQL',
    'a.sql',
    '-- Somebody else\nselect 1',
    'a.sql:1: "Somebody", use another user, no users or all users',
  ],
  [
    'the comment on a table',
    'a.sql',
    "comment on table a is 'What it\nwanted'",
    'a.sql:2: "wanted", use desired or requested',
  ],
  ['a comment in CSS', 'a.css', 'a {\n  /* out of step */\n}', 'a.css:2: "out of step", use in sync, out of sync'],
  ['a page', 'a.html', '<p>\n  Nobody pays.\n</p>', 'a.html:2: "Nobody", use another user, no users or all users'],
  ['a document', 'a.md', '# One\n\nIt can not be.', 'a.md:3: "can not", use cannot'],
] as const)('it finds a word to avoid in %s', ([, path, source, fault]) => {
  expect(stiltedWords(path, source)).toEqual([fault])
})

test.for([
  ['an identifier', 'a.ts', 'export const told = { wanted: anew }'],
  ['a code', 'a.ts', "export const reason = 'wanted'"],
  ['a text in Spanish', 'a.text.es.ts', "export const a = 'foreign'"],
  ['the name of a type that says more', 'a.ts', 'export type KnownDevice = { DoorParts: string }'],
  ['code in a comment', 'a.ts', '// The event type is `told`.'],
  ['code in a document', 'a.md', 'Run `tell` or\n```\ntell\n```\nand read [this](0001-told.md).'],
  ['a foreign key', 'a.md', 'Foreign keys are checked, and so is a foreign key.'],
] as const)('it leaves %s alone', ([, path, source]) => {
  expect(stiltedWords(path, source)).toEqual([])
})

test('the subject of a commit is one thought of at most 72 characters without words to avoid', () => {
  expect(subjectFaults('fix(rooms): close a socket that sends no frame')).toEqual([])
  expect(subjectFaults(`fix: ${'a'.repeat(68)}`)).toEqual([
    `commit "fix: ${'a'.repeat(68)}": longer than 72 characters`,
  ])
  expect(subjectFaults('fix: close it; open it')).toEqual([
    'commit "fix: close it; open it": two thoughts: split the commit, or drop one',
  ])
  expect(subjectFaults('fix: ask anew')).toEqual(['commit "fix: ask anew": "anew", use again'])
})
