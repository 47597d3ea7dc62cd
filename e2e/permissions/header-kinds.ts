import { refOf } from './marks.ts'
import type { Target } from './places.ts'

export const headerKinds = [
  'plain',
  'all accounts',
  'assume',
  'forged',
  'doubled',
  'malformed',
  'missing',
  'disagreeing',
] as const
export type HeaderKind = (typeof headerKinds)[number]

/** The meaning of a request's headers, written beside them so that the matrix does not parse them. */
export type Meaning = {
  account: Target | 'first' | 'missing' | 'invalid'
  assumed?: Target | 'invalid'
  all: 'yes' | 'no' | 'invalid'
  origin: 'ours' | 'foreign'
  session: 'theirs' | 'made up'
}

export type Headers = { lines: readonly (readonly [string, string])[]; meaning: Meaning }

const account = (value: string) => ['X-JS-ACCOUNT', value] as const
const all = (value: string) => ['x-js-all-accounts', value] as const
const assume = (value: string) => ['x-js-assume-account', value] as const
const plain = { all: 'no', origin: 'ours', session: 'theirs' } as const

/** The headers by which a kind names an account; `idOf` returns the account's _id. */
export function headersOf(kind: HeaderKind, { target, idOf }: { target: Target; idOf: (target: Target) => string }) {
  const here = account(refOf(target))
  const meaning = { ...plain, account: target }
  const wrong = { ...plain, account: 'invalid' as const }
  const kinds: Record<HeaderKind, Headers[]> = {
    plain: [
      { lines: [here], meaning },
      { lines: [account(idOf(target))], meaning },
      { lines: [here, all('false')], meaning },
      ...(target === 'own' ? [{ lines: [account('null')], meaning: { ...plain, account: 'first' as const } }] : []),
    ],
    'all accounts': [
      { lines: [here, all('true')], meaning: { ...meaning, all: 'yes' } },
      { lines: [account(idOf(target)), all('true')], meaning: { ...meaning, all: 'yes' } },
    ],
    assume: [
      { lines: [here, assume(refOf('child'))], meaning: { ...meaning, assumed: 'child' } },
      { lines: [here, assume(refOf('child')), all('true')], meaning: { ...meaning, assumed: 'child', all: 'yes' } },
    ],
    forged: [
      { lines: [here, assume(refOf('sibling'))], meaning: { ...meaning, assumed: 'sibling' } },
      { lines: [here, ['origin', 'https://zebra.example']], meaning: { ...meaning, origin: 'foreign' } },
      { lines: [here], meaning: { ...meaning, session: 'made up' } },
      {
        lines: [account(refOf('own')), assume(refOf(target))],
        meaning: { ...meaning, account: 'own', assumed: target },
      },
      { lines: [here, assume(refOf('absent'))], meaning: { ...meaning, assumed: 'absent' } },
    ],
    doubled: [
      { lines: [account(refOf('own')), here], meaning: wrong },
      { lines: [here, here], meaning: wrong },
      { lines: [here, all('true'), all('true')], meaning: { ...meaning, all: 'invalid' } },
      { lines: [here, assume(refOf('child')), assume(refOf('child'))], meaning: { ...meaning, assumed: 'invalid' } },
    ],
    malformed: [
      { lines: [account(`${refOf('own')}, ${refOf(target)}`)], meaning: wrong },
      { lines: [account(refOf(target).toUpperCase())], meaning: wrong },
      { lines: [account(`${refOf(target)}'--`)], meaning: wrong },
      { lines: [account('')], meaning: wrong },
      { lines: [here, all('yes')], meaning: { ...meaning, all: 'invalid' } },
      { lines: [here, assume('no account')], meaning: { ...meaning, assumed: 'invalid' } },
    ],
    missing: [
      { lines: [], meaning: { ...plain, account: 'missing' } },
      { lines: [all('true')], meaning: { ...plain, account: 'missing', all: 'yes' } },
      { lines: [assume(refOf(target))], meaning: { ...plain, account: 'missing', assumed: target } },
    ],
    disagreeing: [
      { lines: [here, assume(refOf(target))], meaning: { ...meaning, assumed: target } },
      { lines: [account('null'), assume(refOf(target))], meaning: { ...plain, account: 'first', assumed: target } },
      { lines: [here, assume('null')], meaning: { ...meaning, assumed: 'invalid' } },
    ],
  }
  return kinds[kind]
}
