/** The time of day that somebody typed, as `HH:MM` up to `24:00`: `7`, `07`, `730`, `7.30`, `7:30`; nothing where it is none. */
export function clockOf(typed: string): string | undefined {
  const match = /^(\d{1,2})[:.h ]?(\d{2})?$/.exec(typed.trim())
  if (!match) return undefined
  const hours = Number(match[1])
  const minutes = Number(match[2] ?? 0)
  if (hours * 60 + minutes > 1440 || minutes > 59) return undefined
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
}
