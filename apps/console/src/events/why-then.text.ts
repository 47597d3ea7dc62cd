export const whyThen = {
  title: 'At that time',
  same: 'The rules of that time give the same result, check by check.',
  differs: {
    granted: 'By the rules of that time, access was granted.',
    denied: 'By the rules of that time, access was denied: {{reason}}.',
  },
  server: {
    granted: 'The controller was out of sync. The server’s policy at that time would have granted access.',
    denied: 'The controller was out of sync. The server’s policy at that time would have denied access: {{reason}}.',
  },
  historyFrom: 'The audit log begins {{time}}. Earlier changes are not known.',
  now: {
    grant: 'Now the door would open.',
    deny: 'Now access would be denied: {{reason}}.',
    needs_pin: 'Now the door would ask for a PIN.',
    needs_second_person: 'Now the door would ask for a second person.',
    needs_approval: 'Now the door would ask for approval.',
  },
  obstacle: {
    no_decision: 'This event is not a decision at a door.',
    no_door: 'The door is not known, so the decision cannot be evaluated again.',
    no_credential: 'No known credential was presented, so the decision cannot be evaluated again.',
  },
  wouldHaveOpened: 'Would have opened with',
  changed: 'Changed since',
  unchanged: 'Nothing that matters here has changed since.',
  item: '{{kind}} {{name}}',
  change: {
    create: '{{item}} was added',
    patch: '{{item}} was changed: {{fields}}',
    delete: '{{item}} was deleted',
    joined: 'Joined {{item}}',
    left: 'Left {{item}}',
  },
  undo: 'by an undo',
  by: 'by {{name}}',
  show: 'Show in the audit log',
  more_one: 'and {{count, number}} more change, which you cannot see here',
  more_other: 'and {{count, number}} more changes, which you cannot see here',
} as const

declare module '../text/text.ts' {
  interface Texts {
    whyThen: typeof whyThen
  }
}
