/** Properties that items of every collection may have, read from an item of unknown type. */
export function idOf(item: unknown): string {
  return textPart(item, '_id') ?? ''
}

export function nameOf(item: unknown): string | undefined {
  return textPart(item, 'name')
}

/** The label of an item: its name or, for a credential, its number. */
export function labelOf(item: unknown): string | undefined {
  return nameOf(item) ?? textPart(item, 'number')
}

export function versionOf(item: unknown): number | undefined {
  const version = part(item, 'version')
  return typeof version === 'number' ? version : undefined
}

export function part(item: unknown, name: string): unknown {
  return typeof item === 'object' && item !== null ? Reflect.get(item, name) : undefined
}

/** The value at a path: `adhoc.until`. */
export function partAt(item: unknown, path: string): unknown {
  return path.split('.').reduce(part, item)
}

export function textPart(item: unknown, name: string) {
  const value = part(item, name)
  return typeof value === 'string' ? value : undefined
}
