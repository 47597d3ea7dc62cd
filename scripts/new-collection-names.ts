export type Names = ReturnType<typeof namesOf>

/** All forms of a collection's name: `visitorBadges`, `visitorBadge`, `visitor-badges`, `visitor_badge` ... */
export function namesOf(plural: string) {
  if (!/^[a-z][A-Za-z]*s$/.test(plural))
    throw new Error(`${plural}: use a plural of letters only, such as visitorBadges.`)
  const entity = plural.endsWith('ies') ? `${plural.slice(0, -3)}y` : plural.slice(0, -1)
  return {
    plural,
    entity,
    folder: spaced(plural, '-'),
    table: spaced(entity, '_'),
    words: spaced(plural, ' '),
    word: spaced(entity, ' '),
    type: capital(entity),
    screen: `${capital(plural)}Screen`,
    title: capital(spaced(plural, ' ')),
  }
}

function spaced(name: string, between: string) {
  return name.replaceAll(/[A-Z]/g, (letter) => `${between}${letter.toLowerCase()}`)
}

export function capital(name: string) {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
