import * as z from 'zod'

const entry = z.looseObject({
  optionalDependencies: z.record(z.string(), z.string()).optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
})
const lock = z.looseObject({ packages: z.record(z.string(), entry) })
type Lock = z.output<typeof lock>

export function parseLock(json: unknown): Lock {
  return lock.parse(json)
}

/**
 * npm omits packages for other platforms that its registry could not deliver, and `npm ci` then refuses the lock file on
 * every platform. Without an integrity hash `npm ci` would accept any content from the registry.
 */
export function findFaults({ packages }: Lock): string[] {
  const entries = Object.entries(packages)
  const missing = entries.flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages))
      .map((name) => `${name} is missing`),
  )
  const unproven = entries.filter(isUnproven).map(([path]) => `${path} has no integrity hash`)
  return [...missing, ...unproven]
}

export function withoutFaults({ packages, ...rest }: Lock): Lock {
  return { ...rest, packages: Object.fromEntries(Object.entries(packages).filter((each) => !isUnproven(each))) }
}

/** Workspaces are links, and have no hash. */
function isUnproven([path, { integrity, link }]: [string, z.output<typeof entry>]) {
  return path.includes('node_modules/') && link !== true && integrity?.startsWith('sha512-') !== true
}
