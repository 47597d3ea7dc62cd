export const idle = {
  title: 'Are you still there?',
  warning_one:
    'You have been idle for more than {{idleTime}} seconds and will be logged out automatically in {{count}} second, or press Continue to stay signed in.',
  warning_other:
    'You have been idle for more than {{idleTime}} seconds and will be logged out automatically in {{count}} seconds, or press Continue to stay signed in.',
  soon: 'You will be logged out in {{seconds}} seconds. Press Continue to stay signed in.',
  goOn: 'Continue',
} as const

declare module '../text/text.ts' {
  interface Texts {
    idle: typeof idle
  }
}
