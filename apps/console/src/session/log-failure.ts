/** For failures that the specification requires to be logged only (§8). */
export function logFailure(what: string, error?: unknown) {
  // oxlint-disable-next-line no-console
  console.error(what, ...(error === undefined ? [] : [error]))
}
