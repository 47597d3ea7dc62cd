let accountRef: string | null = null

/** The account that requests act in. */
export function currentAccountRef() {
  return accountRef
}

/** From now on requests act in this account. */
export function actIn(ref: string | null) {
  accountRef = ref
}
