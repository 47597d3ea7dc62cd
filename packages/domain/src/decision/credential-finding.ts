import type { AccessFacts } from './access-facts.ts'
import { type Finding, passed, present, refused, unasked } from './finding.ts'
import type { CredentialStatus } from '../policy.ts'
import type { ReasonCode } from './reasons.ts'
import { validityRefusal } from '../time/validity.ts'

/** Step 3: known, assigned, its status, its validity. */
export function credentialFinding({ door, credential, at }: AccessFacts): Finding {
  if (credential === undefined) {
    return door === undefined ? unasked('credential') : refused('credential', 'credential_unknown', {})
  }
  const { _id, kind, status, assigned, validFrom, validUntil } = credential
  const facts = present({
    credential: present({ _id, kind, status }),
    validFrom: validFrom ?? undefined,
    validUntil: validUntil ?? undefined,
  })
  const reason = assigned ? (statusReasons[status] ?? validityRefusal(credential, at)) : 'credential_unassigned'
  return reason === null ? passed('credential', facts) : refused('credential', reason, facts)
}

const statusReasons = {
  active: null,
  suspended: 'credential_suspended',
  lost: 'credential_lost',
  stolen: 'credential_stolen',
  revoked: 'credential_revoked',
} as const satisfies Record<CredentialStatus, ReasonCode | null>
