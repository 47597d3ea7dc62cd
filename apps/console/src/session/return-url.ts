/** A path of this site to go back to after signing in; anything that could lead elsewhere is dropped. */
export function safeReturnUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\/(?![/\\])/.test(value) || /[\p{Cc}\\]/u.test(value)) return undefined
  const base = 'https://console.invalid'
  const url = URL.parse(value, base)
  if (url?.origin !== base || url.pathname.includes('/authentication/')) return undefined
  return `${url.pathname}${url.search}${url.hash}`
}
