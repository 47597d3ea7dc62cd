/**
 * The legal texts with the dates of their last change (specification §1); users who consented earlier must consent again.
 */
export const policies = {
  eula: { title: 'End User License Agreement', updated: '2025-03-14' },
  privacy: { title: 'Privacy Policy', updated: '2021-06-24' },
  terms: { title: 'Terms and Conditions', updated: '2021-06-29' },
  disclaimer: { title: 'Disclaimer', updated: '2021-06-29' },
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
