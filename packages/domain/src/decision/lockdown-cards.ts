import type { Finding } from './finding.ts'
import type { PolicyIndex } from './policy-index.ts'

/** The plans whose lockdown a user starts by presenting a card at a door, by id. */
export function plansStartedByCard(index: PolicyIndex, { door, user }: { door: string; user: string }): string[] {
  const isIn = (group: string) => index.userGroups.members.get(group)?.has(user) === true
  const lineage = () => index.lineageOf(index.doors.get(door)?.account ?? '')
  const ids: string[] = []
  // At each presented card: most plans name no doors.
  for (const { _id, account, cardDoors, cardGroups } of index.lockdownPlans.values())
    if (cardDoors.includes(door) && cardGroups.some(isIn) && lineage().includes(account)) ids.push(_id)
  return ids
}

/** Whether credential and user were valid, whatever else the door decided: a lost card starts no lockdown. */
export function isValidCard(findings: readonly Pick<Finding, 'step' | 'outcome'>[]): boolean {
  return (['credential', 'holder'] as const).every((step) =>
    findings.some((finding) => finding.step === step && finding.outcome === 'passed'),
  )
}
