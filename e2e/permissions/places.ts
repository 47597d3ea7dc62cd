/** The accounts of the matrix: a line of four, a sibling of the third, and one that does not exist. Roles are on `own`. */
export const places = ['root', 'parent', 'own', 'child', 'sibling'] as const
export type Place = (typeof places)[number]
export type Target = Place | 'absent'

/** The accounts that a request may target: by its headers, and by the ids that it contains. */
export const headerTargets = ['absent', 'own', 'child', 'parent', 'sibling'] as const satisfies Target[]
export const idTargets = ['own', 'child', 'parent', 'sibling', 'root', 'absent'] as const satisfies Target[]

const above: Record<Place, Place | undefined> = {
  root: undefined,
  parent: 'root',
  own: 'parent',
  child: 'own',
  sibling: 'parent',
}

export function parentOf(place: Place) {
  return above[place]
}

/** The account and all accounts below it. */
export function treeBelow(top: Place): ReadonlySet<Place> {
  return new Set(places.filter((place) => isWithin(place, top)))
}

function isWithin(place: Place, top: Place): boolean {
  if (place === top) return true
  const next = above[place]
  return next !== undefined && isWithin(next, top)
}
