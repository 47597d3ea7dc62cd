/** Markup in which every value is escaped. */
export type Html = { readonly markup: string }
type Value = Html | readonly Html[] | string | number | false | undefined

/** Markup with its values: escaped texts, further markup, or nothing for `false` and undefined. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { markup: strings.map((text, index) => text + markupOf(values[index])).join('') }
}

function markupOf(value: Value): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value))
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string) {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
}
