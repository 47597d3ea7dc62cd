/** What begins so in this tab's storage is somebody's unsaved work. */
export const draftPrefix = 'draft:'

/** Whoever signs out leaves nothing behind. */
export function dropDrafts() {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(draftPrefix)) sessionStorage.removeItem(key)
  } catch {
    // A browser that keeps nothing has kept none.
  }
}
