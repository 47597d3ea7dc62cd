type NetworkFault = { isOffline: boolean; desired: boolean; apply: () => Promise<unknown> }

/**
 * Unplugs and plugs in the networks of the virtual controllers: keeps those unplugged that should be, and plugs each in
 * only once. A network that a user has unplugged on the page of the virtual controllers therefore stays so.
 */
export function networkFaults() {
  const applied = new Map<string, boolean>()
  return {
    async keep(serial: string, { isOffline, desired, apply }: NetworkFault) {
      const isNew = applied.get(serial) !== desired
      if (isOffline !== desired && (desired || isNew)) await apply()
      applied.set(serial, desired)
    },
  }
}
