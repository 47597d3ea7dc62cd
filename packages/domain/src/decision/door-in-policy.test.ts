import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineageOf } from '../account-tree.ts'
import type { Policy } from '../policy.ts'
import { anyInstant, anyPolicy, numbers, stage } from '../random-policy.ts'
import { group, rule, samplePolicy } from '../sample-policy.ts'
import { rulesForUserAtDoor } from './applying-rules.ts'
import { decideAccess } from './decide-access.ts'
import { doorInPolicy } from './door-in-policy.ts'
import { gatherFacts, policyIndex } from './gather-facts.ts'
import { groupLists, type PolicyIndex, policyOf, type UpdatableIndex } from './policy-index.ts'
import { changeMembers, type PolicyItems, type PolicyList, setItems } from './update-index.ts'

type Items<List extends PolicyList> = { list: List; ofPolicy: (policy: Policy) => readonly PolicyItems[List][] }

/** Changes that together turn the index of one policy into that of another. */
const changes: ((index: UpdatableIndex, policies: { before: Policy; after: Policy }) => void)[] = [
  items({ list: 'accounts', ofPolicy: ({ accounts }) => accounts }),
  items({ list: 'sites', ofPolicy: ({ sites }) => sites }),
  items({ list: 'doors', ofPolicy: ({ doors }) => doors }),
  items({ list: 'units', ofPolicy: ({ units }) => units }),
  items({ list: 'users', ofPolicy: ({ users }) => users }),
  items({ list: 'credentials', ofPolicy: ({ credentials }) => credentials }),
  items({ list: 'rules', ofPolicy: ({ rules }) => rules }),
  items({ list: 'schedules', ofPolicy: ({ schedules }) => schedules }),
  items({ list: 'holidays', ofPolicy: ({ holidays }) => holidays }),
  ...groupLists.flatMap((list) => [
    items({ list, ofPolicy: (policy) => policy[list] }),
    (index: UpdatableIndex, { after }: { after: Policy }) => {
      for (const { _id: group, members } of after[list]) {
        const removed = [...(index[list].members.get(group) ?? [])].filter((each) => !members.includes(each))
        changeMembers(index, { list, group, added: members, removed })
      }
    },
  ]),
]

function items<List extends PolicyList>({ list, ofPolicy }: Items<List>) {
  return (index: UpdatableIndex, { before, after }: { before: Policy; after: Policy }) => {
    for (const id of new Set([...ofPolicy(before), ...ofPolicy(after)].map(({ _id }) => _id))) {
      setItems(index, { list, id, items: ofPolicy(after).filter(({ _id }) => _id === id) })
    }
  }
}

test('an index that has already decided decides, after each change, like one built from the result', () => {
  const order = fc.shuffledSubarray(changes, { minLength: changes.length })
  const run = fc.property(
    anyPolicy,
    anyPolicy,
    order,
    fc.array(anyInstant, { minLength: 2, maxLength: 3 }),
    (...cases) => {
      const [before, after, inOrder, instants] = cases
      const index = policyIndex(before)
      decisions(index, instants)
      for (const change of inOrder) {
        change(index, { before, after })
        expect(decisions(index, instants)).toEqual(
          instants.flatMap((at) => decisions(policyIndex(policyOf(index)), [at])),
        )
      }
    },
  )
  fc.assert(run, { numRuns: 60 })
})

function decisions(index: PolicyIndex, instants: readonly number[]) {
  return instants.flatMap((at) =>
    [...index.doors.keys()].flatMap((door) =>
      numbers.map((credentialNumber) =>
        decideAccess(gatherFacts(index, { door, credentialNumber, direction: 'entry', at })),
      ),
    ),
  )
}

test('the first member of a group has access at a door where users have already been denied', () => {
  const who = [{ kind: 'User Group', id: 'warehouse' }] as const
  const index = policyIndex(samplePolicy({ rules: [rule({ who })] }))
  setItems(index, { list: 'userGroups', id: 'warehouse', items: [group()] })
  const verdict = () => {
    const attempt = { door: 'door', credentialNumber: '0412-88213', direction: 'entry', at: stage.from } as const
    return decideAccess(gatherFacts(index, attempt)).verdict
  }
  expect(verdict()).toBe('deny')
  changeMembers(index, { list: 'userGroups', group: 'warehouse', added: ['nomsa'], removed: [] })
  expect(verdict()).toBe('grant')
})

test('the rules of a user at a door are those that name both, however many there are', () => {
  const seen = new Set<boolean>()
  const run = fc.property(anyPolicy, fc.constantFrom(1, 8), (small, copies) => {
    const rules = Array.from({ length: copies }, (_, copy) =>
      small.rules.map((rule) => ({ ...rule, _id: `${rule._id}-${copy}` })),
    ).flat()
    const policy = { ...small, rules }
    const index = policyIndex(policy)
    for (const door of policy.doors) {
      for (const user of new Set(policy.users.map(({ _id }) => _id))) {
        const found = rulesForUserAtDoor(index, { user, door })
        expect(found.map(({ rule, via }) => ({ rule: rule._id, via }))).toEqual(namingBoth(policy, { user, door }))
        if (found.length > 0) seen.add(doorInPolicy(index, door).names === undefined)
      }
    }
  })
  fc.assert(run, { numRuns: 200 })
  // The random policies must have doors with few and with many rules.
  expect(seen).toEqual(new Set([false, true]))
})

/** An independent implementation, which reads every rule. */
function namingBoth(policy: Policy, { user, door }: { user: string; door: Policy['doors'][number] }) {
  const lineage = lineageOf(new Map(policy.accounts.map((account) => [account._id, account])), door.account)
  const inGroups = (groups: Policy['userGroups'], member: string) =>
    groups.filter(({ members }) => members.includes(member)).sort((a, b) => (a._id < b._id ? -1 : 1))
  const sites = policy.sites.filter(({ _id }) => _id === door.site)
  const whos = [
    { kind: 'User', _id: user } as const,
    ...inGroups(policy.userGroups, user).map(({ _id, name }) => ({ kind: 'User Group', _id, name }) as const),
  ]
  const wheres = [
    { kind: 'Door', _id: door._id, name: door.name } as const,
    ...inGroups(policy.doorGroups, door._id).map(({ _id, name }) => ({ kind: 'Door Group', _id, name }) as const),
    ...sites.map(({ _id, name }) => ({ kind: 'Site', _id, name }) as const),
    ...sites.flatMap((site) =>
      inGroups(policy.siteGroups, site._id).map(({ _id, name }) => ({ kind: 'Site Group', _id, name }) as const),
    ),
  ]
  const isNamed = (subjects: readonly { kind: string; id: string }[]) => (each: { kind: string; _id: string }) =>
    subjects.some(({ kind, id }) => kind === each.kind && id === each._id)
  return policy.rules
    .filter(({ enabled, account }) => enabled && lineage.includes(account))
    .flatMap((rule) => {
      const [who, where] = [whos.find(isNamed(rule.who)), wheres.find(isNamed(rule.where))]
      return who && where ? [{ rule: rule._id, via: { who, where } }] : []
    })
    .sort((a, b) => (a.rule < b.rule ? -1 : 1))
}
