/** For failures that the specification has logged and nothing else (§8). */
export function logFailure(what: string, error?: unknown) {
  // oxlint-disable-next-line no-console
  console.error(what, ...(error === undefined ? [] : [error]))
}
