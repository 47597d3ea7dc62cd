import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

/**
 * Refuses stilted words in texts, errors, comments, test names, documents, legal pages and commit subjects (decision 0099).
 * `node scripts/word-lint.ts [PATH...]` checks the tracked files below the paths, or the whole repository.
 */

type Rule = { words: RegExp; use: string }

/** The words to avoid, each with what to write instead. */
const rules: Rule[] = [
  { words: /\b(tell|tells|telling|told|teller|tellers)\b/i, use: 'report, show, return or notify' },
  { words: /\bwhoever\b/i, use: 'the user, or clients that …' },
  { words: /\b(of|to|for|by|with|from|than) who\b/i, use: 'a noun before "who"' },
  { words: /\b(somebody|nobody|everybody)\b/i, use: 'another user, no users or all users' },
  { words: /\banew\b/i, use: 'again' },
  { words: /\bof (before|then)\b/i, use: 'previous, or at that time' },
  { words: /\bof late\b/i, use: 'recently' },
  { words: /\bby now\b/i, use: 'already, or nothing' },
  { words: /\bin earnest\b/i, use: 'in production' },
  { words: /\bso (long|many)\b(?! (as|that)\b)/i, use: 'the number: for 5 s, at most 5' },
  { words: /\bwhat is\b/, use: 'a noun' },
  { words: /\bforeign(?![ _]keys?(?![a-z]))/i, use: 'out of scope' },
  { words: /\bbesides\b/i, use: 'also' },
  { words: /\bstands? (in|at|beside)\b/i, use: 'appears in, is shown at' },
  { words: /\bwanted\b/i, use: 'desired or requested' },
  { words: /\bany ?more\b/i, use: 'no longer' },
  { words: /\bin the place of\b/i, use: 'instead of' },
  { words: /\btelephones?\b/i, use: 'phone' },
  { words: /\be-mails?\b/i, use: 'email' },
  { words: /\bcan not\b/i, use: 'cannot' },
  { words: /\bthe (house|trade)\b/i, use: 'the codebase, or the domain' },
  { words: /\b(asker|askers)\b/i, use: 'the user' },
  { words: /\b(in|out of) step\b/i, use: 'in sync, out of sync' },
  { words: /\b(in|out of) service\b/i, use: 'enabled, disabled' },
  { words: /\bin force\b/i, use: 'enabled, or active' },
  { words: /\bback-fill/i, use: 'backfill' },
  { words: /(?<!anti-?)\bpassback\b/i, use: 'anti-passback' },
  { words: /\b(let in|turned away)\b/i, use: 'granted, denied' },
  { words: /\bchosen last\b/i, use: 'recent' },
  { words: /\b(out of|lose|loses|lost) sight\b/i, use: 'out of scope, or lose access' },
  { words: /\bin vain\b/i, use: 'without success' },
]

/** Type names that do not say what the value holds. */
const vagueTypes: Rule = { words: /^(Parts|Known)$|Asked|Told|Wanted/, use: 'a name that says what the value holds' }

/** This file and its test, which name the words, and generated or quoted files. */
const exempt = new Set(['scripts/word-lint.ts', 'scripts/word-lint.test.ts', 'docs/schema.sql'])

/** The last commit before this check: subjects after it are read. */
const firstUnchecked = 'f6ab038'

const maxSubjectCharacters = 72

/** A text, or the name of a type, to which other rules apply. */
type Prose = { text: string; at: number; isTypeName?: true }

/** Each use of a word to avoid, as `{file}:{line}: "{word}", use {replacement}`. */
export function stiltedWords(path: string, source: string): string[] {
  return proseOf(path, source).flatMap(({ text, at, isTypeName }) =>
    (isTypeName ? [vagueTypes] : rules).flatMap(({ words, use }) =>
      [...text.matchAll(new RegExp(words, `${words.flags}g`))].map(({ 0: word, index }) => {
        const line = source.slice(0, at + index).split('\n').length
        return `${path}:${line}: "${word}", use ${use}`
      }),
    ),
  )
}

/** The faults of the first line of a commit message: its length, a second thought, a word to avoid. */
export function subjectFaults(subject: string): string[] {
  const faults = stiltedWords('commit.md', subject).map((fault) => fault.replace(/^commit\.md:1: /, ''))
  if (subject.length > maxSubjectCharacters) faults.push(`longer than ${maxSubjectCharacters} characters`)
  if (subject.includes(';')) faults.push('two thoughts: split the commit, or drop one')
  return faults.map((fault) => `commit "${subject}": ${fault}`)
}

/**
 * Comments, names of types, and literals: those of one word only in English catalogues, where they are texts and not
 * codes. Of a document or page everything but code.
 */
function proseOf(path: string, source: string): Prose[] {
  if (/\.(md|html)$/.test(path)) return [{ text: withoutCode(source), at: 0 }]
  if (/\.(sql|css)$/.test(path)) {
    const comments = source.matchAll(/--.*|\/\*[^]*?\*\/|'(?:[^']|'')*\s(?:[^']|'')*'/g)
    return [...comments].map(({ 0: text, index }) => ({ text, at: index }))
  }
  const { comments, program } = parseSync(path, source)
  const prose: Prose[] = comments.map(({ value, start }) => ({ text: value, at: start + 2 }))
  collectNodes(program, { into: prose, texts: path.endsWith('.text.ts') ? /\S/ : /\S\s+\S/ })
  return prose.map((each) => ({ ...each, text: withoutCode(each.text) }))
}

/** The same text with blanks for code, so that positions stay the same. */
function withoutCode(text: string) {
  return text.replaceAll(/```[^]*?```|`[^`\n]*`|\]\([^)\s]*\)/g, (code) => code.replaceAll(/[^\n]/g, ' '))
}

type Collecting = { into: Prose[]; texts: RegExp }

function collectNodes(node: unknown, collecting: Collecting) {
  if (Array.isArray(node)) for (const each of node) collectNodes(each, collecting)
  if (!isNode(node)) return
  const { into, texts } = collecting
  const text = literalText(node)
  if (text !== undefined && texts.test(text)) into.push({ text, at: node.start + 1 })
  if (declaresType.has(node.type) && isNode(node['id'])) {
    into.push({ text: String(node['id']['name']), at: node['id'].start, isTypeName: true })
  }
  for (const child of Object.values(node)) if (typeof child === 'object') collectNodes(child, collecting)
}

const declaresType = new Set(['TSTypeAliasDeclaration', 'TSInterfaceDeclaration', 'ClassDeclaration'])

function isNode(value: unknown): value is Record<string, unknown> & { type: string; start: number } {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

function literalText(node: Record<string, unknown> & { type: string }) {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'JSXText' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateElement') return undefined
  const { value } = node
  return typeof value === 'object' && value !== null && 'raw' in value ? String(value.raw) : undefined
}

function trackedFiles(root: string, paths: readonly string[]) {
  const listed = git(root, ['ls-files', '--', ...paths]).split('\n')
  return listed.filter((file) => /\.(ts|tsx|mjs|sql|css|md|html)$/.test(file) && !exempt.has(file))
}

function newSubjects(root: string) {
  const hasCommit = git(root, ['rev-list', '--max-count=1', firstUnchecked, '--']) !== ''
  return hasCommit ? git(root, ['log', '--no-merges', '--format=%s', `${firstUnchecked}..HEAD`]).split('\n') : []
}

/** The output of git; empty outside a repository, or if the clone does not have the requested commit. */
function git(root: string, settings: string[]) {
  try {
    return execFileSync('git', settings, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const paths = process.argv.slice(2)
  const files = trackedFiles(root, paths)
  const faults = files.flatMap((file) => stiltedWords(file, readFileSync(join(root, file), 'utf8')))
  if (paths.length === 0) faults.push(...newSubjects(root).flatMap(subjectFaults))
  for (const fault of faults) console.log(fault)
  console.log(`${faults.length} faults in ${files.length} files`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
