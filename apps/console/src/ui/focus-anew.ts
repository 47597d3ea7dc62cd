/** After a refusal one types again: what was typed is selected. The button that was pressed has lost the focus meanwhile. */
export function focusAnew(field: HTMLInputElement | null) {
  field?.focus()
  field?.select()
}
