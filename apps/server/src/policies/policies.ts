/** The legal texts with the days on which they were last changed (specification §1): whoever consented earlier is asked again. */
export const policies = {
  eula: { title: 'End User License Agreement', updated: '2025-03-14' },
  privacy: { title: 'Privacy Policy', updated: '2021-06-24' },
  terms: { title: 'Terms and Conditions', updated: '2021-06-29' },
  disclaimer: { title: 'Disclaimer', updated: '2021-06-29' },
} as const

export type PolicyName = keyof typeof policies

/** The moments that consent must be later than. */
export const policyUpdated = {
  eula: startOf(policies.eula.updated),
  privacy: startOf(policies.privacy.updated),
  terms: startOf(policies.terms.updated),
  disclaimer: startOf(policies.disclaimer.updated),
}

function startOf(day: string) {
  return `${day}T00:00:00.000Z`
}
