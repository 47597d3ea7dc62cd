/** The policies to accept, in the order in which they are listed (specification §4). */
export const policies = ['eula', 'privacy', 'terms', 'disclaimer'] as const
export type Policy = (typeof policies)[number]

type IsConsentValidInput = { readonly [P in Policy]?: string | undefined }
type Updated = { readonly [P in Policy]: string }

/** Consent holds only where all four policies were accepted after each was last changed. */
export function isConsentValid(consent: IsConsentValidInput, policyUpdated: Updated): boolean {
  return policies.every((policy) => Date.parse(consent[policy] ?? '') > Date.parse(policyUpdated[policy]))
}

/** All four, accepted at this moment. */
export function consentAt(moment: Date) {
  const at = moment.toISOString()
  return { eula: at, privacy: at, terms: at, disclaimer: at }
}
