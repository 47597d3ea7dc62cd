/** A moment as the browser's own date and time input takes it, in the viewer's zone: `2026-11-20T18:00`. */
export function localMoment(iso: string | null): string {
  if (iso === null) return ''
  const at = new Date(iso)
  const two = (number: number) => String(number).padStart(2, '0')
  const date = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** The moment of such an input; null where it is empty or invalid. */
export function momentOfLocal(local: string): string | null {
  const at = local === '' ? Number.NaN : new Date(local).getTime()
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}
