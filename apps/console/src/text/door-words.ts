/** The words of what can be wanted of a door. */
export const doorWords = {
  doorModes: {
    more: 'More commands for {{name}}',
    hold: 'Hold unlocked until…',
    block: 'Block…',
    lockdown: 'Lock down…',
    restore: 'Return to schedule',
    holdTitle: 'Hold {{name}} unlocked',
    holdHint: 'Everybody passes without a card until then. It locks again by itself.',
    blockTitle: 'Block {{name}}?',
    blockHint: 'Nobody gets in with a card. From inside the door opens as always.',
    lockdownTitle: 'Lock down {{name}}?',
    lockdownHint:
      'Nobody gets in, not even by a command, until somebody returns the door to its schedule. From inside it opens as always.',
    until: 'Until',
    holdDo: 'Hold unlocked',
    blockDo: 'Block',
    lockdownDo: 'Lock down',
    untilTime: 'until {{time}}',
    requestedAt: 'requested {{time}}',
    sentAt: 'sent {{time}}',
    confirmedAt: 'confirmed {{time}}',
    noAnswer: 'not confirmed by the controller yet',
  },
} as const
