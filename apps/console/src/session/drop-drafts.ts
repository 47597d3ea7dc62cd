/** Keys in this tab's storage with this prefix hold a user's unsaved work. */
export const draftPrefix = 'draft:'

/** Removes a user's drafts when they sign out. */
export function dropDrafts() {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(draftPrefix)) sessionStorage.removeItem(key)
  } catch {
    // A browser without storage has no drafts.
  }
}
