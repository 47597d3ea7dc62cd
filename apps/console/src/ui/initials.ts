/** `Nomsa Dlamini` is ND; one word gives one letter. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s\-.@]+/u).filter((word) => /^\p{L}/u.test(word))
  const [first = '', last = ''] = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return `${firstLetter(first) ?? '?'}${firstLetter(last) ?? ''}`.toUpperCase()
}

function firstLetter(word: string) {
  return /^\p{L}\p{M}*/u.exec(word)?.[0]
}
