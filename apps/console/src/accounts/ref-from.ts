/** A ref made from a name: `Zoë's Café, North` becomes `zoes-cafe-north`. Empty where nothing of it can stand in an address. */
export function refFrom(name: string) {
  return name
    .normalize('NFD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 40)
    .replace(/-+$/, '')
}
