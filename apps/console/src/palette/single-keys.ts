const name = 'single-keys'

/** Whether single letters are shortcuts: users of speech input, or with a tremor, turn them off (WCAG 2.1.4). */
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
    // Where storage is not available, the setting holds for this page only.
  }
}
