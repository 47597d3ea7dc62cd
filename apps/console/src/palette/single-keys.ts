const name = 'single-keys'

/** Whether single letters are shortcuts: who speaks to the computer, or whose hand trembles, turns them off (WCAG 2.1.4). */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(name) !== 'off'
  } catch {
    return true
  }
}

export function turnSingleKeys(to: 'on' | 'off') {
  try {
    localStorage.setItem(name, to)
  } catch {
    // Kept for this page only by who asked.
  }
}
