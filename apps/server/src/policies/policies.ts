/**
 * The legal texts with the dates of their last change (specification §1); users who consented earlier must consent again. A
 * change is a change in every language.
 */
export const policies = {
  eula: { updated: '2025-03-14' },
  privacy: { updated: '2021-06-24' },
  terms: { updated: '2021-06-29' },
  disclaimer: { updated: '2021-06-29' },
} as const

export type PolicyName = keyof typeof policies

/** Consent must be later than these moments. */
export const policyUpdated = {
  eula: startOf(policies.eula.updated),
  privacy: startOf(policies.privacy.updated),
  terms: startOf(policies.terms.updated),
  disclaimer: startOf(policies.disclaimer.updated),
}

function startOf(day: string) {
  return `${day}T00:00:00.000Z`
}
