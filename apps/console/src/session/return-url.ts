const longest = 2_000

/** A path of this site to go back to after signing in; anything that could lead elsewhere is dropped. */
export function safeReturnUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > longest || !isPath(value)) return undefined
  const base = 'https://console.invalid'
  const url = URL.parse(value, base)
  if (url?.origin !== base) return undefined
  const isHarmless = decodings(url.pathname).every((path) => isPath(path) && !isSignInPage(path))
  return isHarmless ? `${url.pathname}${url.search}${url.hash}` : undefined
}

/** One slash, not two: what begins with two names a host. Browsers take a backslash for a slash, and skip tabs and line ends. */
function isPath(value: string) {
  return /^\/(?![/\\])/.test(value) && !/[\p{Cc}\p{Zl}\p{Zp}\\]/u.test(value)
}

function isSignInPage(path: string) {
  return /^(\/[^/]*)?\/authentication(\/|$)/i.test(path)
}

/** A path and every form that it may be decoded to on its way; an undecodable one becomes empty, which is no path. */
function decodings(path: string): string[] {
  const next = decoded(path)
  return next === path ? [path] : [path, ...decodings(next)]
}

function decoded(path: string) {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}
