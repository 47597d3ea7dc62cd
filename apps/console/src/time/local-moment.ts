/** A moment on a wall clock in the viewer's zone, as date and time inputs take it: `2026-11-20T18:00`; text that is no moment unchanged. */
export function localMoment(iso: string | null): string {
  if (iso === null) return ''
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return iso
  const two = (number: number) => String(number).padStart(2, '0')
  const date = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** The moment of such an input; null where it is empty, and the text where it is none, so that no schema accepts it. */
export function momentOfLocal(local: string): string | null {
  if (local === '') return null
  const at = isLocal(local) ? new Date(local).getTime() : Number.NaN
  return Number.isNaN(at) ? local : new Date(at).toISOString()
}

/** Whether a text is a date and time without a zone. */
export function isLocal(local: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(local)
}
