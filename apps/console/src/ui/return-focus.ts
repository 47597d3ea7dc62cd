/** How many elements are remembered: a menu, its dialog and a confirmation above it may come between a row and its return. */
const maxRemembered = 20

/**
 * When the dialog that has the focus is removed from the page, the focus returns to the element that had it before and is
 * still there. Mantine returns it only for dialogs that stay mounted while they are closed. Returns a function that stops it.
 */
export function returnFocusFromDialogs() {
  const elements: HTMLElement[] = []
  let dialog: Element | null = null

  function remember({ target }: FocusEvent) {
    if (!(target instanceof HTMLElement)) return
    dialog = target.closest('[role=dialog]')
    const at = elements.indexOf(target)
    if (at >= 0) elements.splice(at, 1)
    elements.push(target)
    if (elements.length > maxRemembered) elements.shift()
  }

  const observer = new MutationObserver(() => {
    if (dialog === null || dialog.isConnected) return
    dialog = null
    if (document.activeElement === null || document.activeElement === document.body) {
      elements.findLast((element) => element.isConnected)?.focus({ preventScroll: true })
    }
  })
  document.addEventListener('focusin', remember)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', remember)
    observer.disconnect()
  }
}
