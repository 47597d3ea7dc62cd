import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'oxc-parser'
import * as z from 'zod'

/**
 * Compares the console's text catalogues with their translations and with the code: every translation has every text, with the
 * same parameters, and every text is used. `node scripts/text-keys.ts` checks the repository.
 */

export type Texts = ReadonlyMap<string, string>

/** The texts that a translation lacks, has in excess, or has with other parameters than the English text. */
export function translationFaults({
  english,
  translated,
  language,
}: Record<'english' | 'translated', Texts> & { language: string }) {
  const faults: string[] = []
  for (const [key, text] of english) {
    const other = translated.get(key)
    if (other === undefined) faults.push(`${key}: missing in ${language}`)
    else if (parameters(other) !== parameters(text)) {
      faults.push(
        `${key}: ${language} has the parameters ${parameters(other) || 'none'}, English ${parameters(text) || 'none'}`,
      )
    }
  }
  for (const key of translated.keys()) {
    if (!english.has(key) && !english.has(`${withoutForm(key)}_other`)) faults.push(`${key}: only in ${language}`)
  }
  return faults
}

/** The texts that no code names, by a literal, by a template such as `state.${name}`, or as the label of a field. */
export function unusedKeys({
  texts,
  sources,
  isLabel,
}: {
  texts: Texts
  sources: readonly string[]
  isLabel: (key: string, literals: ReadonlySet<string>) => boolean
}) {
  const used = sources.map(namesIn)
  const literals = new Set(used.flatMap((names) => names.literals))
  const templates = [...new Set(used.flatMap((names) => names.templates))].map(
    (template) => new RegExp(`^${template}$`),
  )
  const isUsed = (key: string) =>
    literals.has(key) || templates.some((template) => template.test(key)) || isLabel(key, literals)
  return [...texts.keys()].filter((key) => !isUsed(key) && !isUsed(withoutForm(key)))
}

function withoutForm(key: string) {
  return key.replace(/_(zero|one|two|few|many|other)$/, '')
}

function parameters(text: string) {
  return [...new Set(text.match(/\{\{\w+(, number)?\}\}/g))].sort().join(' ')
}

const literalShape = z.object({ type: z.literal('Literal'), value: z.string() })
const templateShape = z.object({
  type: z.literal('TemplateLiteral'),
  quasis: z.array(z.object({ value: z.object({ cooked: z.string() }) })),
})

/** The literals of a source file, and as patterns its templates that name a part of a key. */
function namesIn(source: string) {
  const names = { literals: new Array<string>(), templates: new Array<string>() }
  collect(parseSync('source.tsx', source).program, names)
  return names
}

function collect(node: unknown, names: ReturnType<typeof namesIn>) {
  const literal = literalShape.safeParse(node)
  if (literal.success) names.literals.push(literal.data.value)
  const template = templateShape.safeParse(node)
  if (template.success) {
    const pieces = template.data.quasis.map(({ value }) => value.cooked)
    if (pieces.some((piece) => /^\w+\.|\.\w+$/.test(piece))) names.templates.push(pieces.map(escape).join('[\\w.]+'))
  }
  if (typeof node === 'object' && node !== null) for (const child of Object.values(node)) collect(child, names)
}

function escape(piece: string) {
  return piece.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

async function textsOf(files: readonly string[]): Promise<Texts> {
  const texts = new Map<string, string>()
  for (const file of files) {
    const module = z.record(z.string(), z.unknown()).parse({ ...(await import(pathToFileURL(file).href)) })
    // The texts of the sign-in pages are one constant, without a prefix.
    for (const [key, text] of leaves(module['signInWords'] ?? module)) texts.set(key, text)
  }
  return texts
}

function leaves(tree: unknown, path = ''): [string, string][] {
  if (typeof tree === 'string') return [[path, tree]]
  if (typeof tree !== 'object' || tree === null) return []
  return Object.entries(tree).flatMap(([name, child]) => leaves(child, path === '' ? name : `${path}.${name}`))
}

if (import.meta.main) {
  const source = join(import.meta.dirname, '../apps/console/src')
  const find = (pattern: string) => globSync(pattern, { cwd: source }).map((file) => join(source, file))
  const english = await textsOf([...find('*/*.text.ts'), join(source, 'text/sign-in-words.ts')])
  const { languageCodes } = await import('@portcullis/contract/languages')
  const others = languageCodes.filter((code) => code !== 'en')
  const isCode = new RegExp(`(?<!\\.(text|test|${others.join('|')}))\\.tsx?$`)
  const code = find('**/*.{ts,tsx}').filter((file) => isCode.test(file))
  const { collections } = await import('@portcullis/contract/collections/registry')
  const fields = new Set(
    Object.values(collections).flatMap(({ name, fields: groups }) =>
      Object.values(groups).flatMap((group) =>
        Object.keys(group).flatMap((field) => [`${name}.${field}`, `${name}.${field}Hint`]),
      ),
    ),
  )
  const languageName = new Intl.DisplayNames('en', { type: 'language' })
  /** Labels of the audit log that belong to no field of a collection. */
  const recordedOnly = new Set(['accounts.image', 'units.enrolmentCodeUntil'])
  const names = new Set<string>(Object.values(collections).map(({ name }) => name))
  /** A column without its own label uses the label of its key, like a field. */
  const isColumn = (key: string, literals: ReadonlySet<string>) => {
    const [collection = '', column = '', ...rest] = key.split('.')
    return names.has(collection) && rest.length === 0 && literals.has(column)
  }
  const unused = unusedKeys({
    texts: english,
    sources: code.map((file) => readFileSync(file, 'utf8')),
    isLabel: (key, literals) => fields.has(key) || recordedOnly.has(key) || isColumn(key, literals),
  })
  const faults = unused.map((key) => `${key}: not used`)
  for (const other of others) {
    const translated = await textsOf([...find(`*/*.text.${other}.ts`), join(source, `text/sign-in-words.${other}.ts`)])
    faults.push(...translationFaults({ english, translated, language: languageName.of(other) ?? other }))
  }
  for (const fault of faults) console.log(fault)
  console.log(`${faults.length} faults in ${english.size} texts`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
