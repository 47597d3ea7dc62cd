import * as z from 'zod'

/** A package and version of the bill of materials. */
export type Component = { name: string; version: string; isDevelopment: boolean }

const event = z.looseObject({
  introduced: z.string().optional(),
  fixed: z.string().optional(),
  last_affected: z.string().optional(),
})
const advisory = z.looseObject({
  id: z.string(),
  summary: z.string().optional(),
  withdrawn: z.string().optional(),
  affected: z
    .array(
      z.looseObject({
        package: z.looseObject({ ecosystem: z.string(), name: z.string() }).optional(),
        versions: z.array(z.string()).default([]),
        ranges: z.array(z.looseObject({ type: z.string(), events: z.array(event) })).default([]),
      }),
    )
    .default([]),
})
export type Advisory = z.output<typeof advisory>

/** One advisory in the OSV format (ossf.github.io/osv-schema), or a list of them. */
export function readAdvisories(json: unknown): Advisory[] {
  return z.array(advisory).parse(Array.isArray(json) ? json : [json])
}

/** The components that an advisory names. Ignores withdrawn advisories and those of other ecosystems. */
export function findAffected(components: readonly Component[], advisories: readonly Advisory[]) {
  return advisories.flatMap((each) =>
    components.filter((component) => isAffected(component, each)).map((component) => ({ component, advisory: each })),
  )
}

function isAffected({ name, version }: Component, { affected, withdrawn }: Advisory) {
  if (withdrawn !== undefined) return false
  return affected.some((each) => {
    if (each.package?.ecosystem !== 'npm' || each.package.name !== name) return false
    if (each.versions.includes(version)) return true
    return each.ranges.some(({ type, events }) => type === 'SEMVER' && isInRange(version, events))
  })
}

/** The last event up to the version decides. */
function isInRange(version: string, events: readonly z.output<typeof event>[]) {
  const steps = events
    .flatMap(({ introduced, fixed, last_affected: last }) => [
      ...(introduced === undefined ? [] : [{ at: introduced === '0' ? '0.0.0-0' : introduced, opens: true }]),
      ...(fixed === undefined ? [] : [{ at: fixed, opens: false }]),
      ...(last === undefined ? [] : [{ at: last, opens: false, isInclusive: true }]),
    ])
    .toSorted((one, other) => compareVersions(one.at, other.at))
  const reached = steps.filter(({ at, isInclusive }) => compareVersions(at, version) < (isInclusive ? 0 : 1))
  return reached.at(-1)?.opens ?? false
}

/** The order of semver.org, 11: a pre-release version has a hyphen, and a suffix after a plus is ignored. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [partsOf(one), partsOf(other)]
  for (const [index, part] of left.release.entries()) {
    const difference = part - (right.release[index] ?? 0)
    if (difference !== 0) return difference
  }
  if (left.before === undefined || right.before === undefined) {
    return Number(left.before === undefined) - Number(right.before === undefined)
  }
  return compareIdentifiers(left.before, right.before)
}

function partsOf(version: string) {
  const [, release = '', before] = /^v?([\d.]+)(?:-([^+]*))?/.exec(version) ?? []
  const [major = 0, minor = 0, patch = 0] = release.split('.').map(Number)
  return { release: [major, minor, patch], before: before?.split('.') }
}

function compareIdentifiers(left: readonly string[], right: readonly string[]) {
  for (const [index, one] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    const difference = compareIdentifier(one, other)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** Numbers come before words. */
function compareIdentifier(one: string, other: string) {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)]
  if (isNumber && isOtherNumber) return Number(one) - Number(other)
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  if (one === other) return 0
  return one < other ? -1 : 1
}
