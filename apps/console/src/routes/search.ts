/** The query of a page's address: only names and texts, so that addresses stay readable and links keep working. */
export type Search = { [name: string]: string | undefined }

export function parseSearch(query: string): Search {
  return Object.fromEntries(new URLSearchParams(query))
}

export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string' && value !== '') parameters.set(name, value)
  }
  const query = parameters.toString()
  return query ? `?${query}` : ''
}

export function validateSearch(search: Record<string, unknown>): Search {
  const valid: Search = {}
  for (const [name, value] of Object.entries(search)) if (typeof value === 'string') valid[name] = value
  return valid
}
