/**
 * The entries whose label contains every typed word, in any case and without accents; those whose words begin with them come first,
 * otherwise the order stays.
 */
export function matchWords<T extends { label: string }>(entries: readonly T[], typed: string): T[] {
  const words = plainly(typed).split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...entries]
  return entries
    .flatMap((entry) => {
      const label = plainly(entry.label)
      if (!words.every((word) => label.includes(word))) return []
      const starts = words.filter((word) => label.startsWith(word) || label.includes(` ${word}`)).length
      return [{ entry, starts }]
    })
    .sort((a, b) => b.starts - a.starts)
    .map(({ entry }) => entry)
}

function plainly(words: string) {
  return words
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
}
