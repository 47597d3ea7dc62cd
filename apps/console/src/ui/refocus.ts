/** After a refusal the user types again: the text is selected. The pressed button has lost the focus. */
export function focusAgain(field: HTMLInputElement | null) {
  field?.focus()
  field?.select()
}
