export const lock = {
  title: 'Lock Screen',
  heading: 'Locked',
  loggedInAs: 'LOGGED IN AS',
  timedOut: 'Your session is timed out. Please enter your password to proceed.',
  submit: 'Unlock',
  different: 'Login as a different user',
} as const

export const emailConfirm = {
  title: 'Confirm Email',
  heading: 'Confirm your email',
  verifying: 'Your email address is being confirmed.',
  verified: 'Your email address has been successfully confirmed.',
  waits: 'This address is confirmed. Your email changes once the other address is confirmed, too.',
  login: 'Login',
  failedHint: 'Sign in to request a new link.',
} as const

export const invitation = {
  title: 'Invitation',
  from: '{{name}} invites you to this account. Your role: {{role}}.',
  accept: 'Accept',
  decline: 'Decline',
  accepted: 'You now have access to this account. Sign in to open it.',
  declined: 'You declined the invitation. Nothing changes for you.',
} as const

export const emailRequest = {
  title: 'Verify Email',
  heading: 'Confirm your email',
  hint: 'Please verify your email by following the link sent to {{email}}.',
  resend: 'Resend Email',
  sentAgain: 'A new email has been sent. Only the newest link works.',
  different: 'Login as another user',
} as const

export const changePassword = {
  title: 'Change Password',
} as const

export const strength = {
  label: 'Password strength',
  checking: 'Checking the password',
  score0: 'Very easy to guess',
  score1: 'Easy to guess',
  score2: 'Still too easy to guess',
  score3: 'Hard to guess',
  score4: 'Very hard to guess',
  hint: 'Several unrelated words are easy to remember and hard to guess.',
} as const

export const updatedPolicies = {
  title: 'Updated Policies',
  hint: 'Our policies have changed. Please read and accept them to continue.',
  updated: 'Updated {{date}}',
  opens: 'opens in a new tab',
  accept: 'Accept',
} as const

declare module '../text/text.ts' {
  interface Texts {
    lock: typeof lock
    emailConfirm: typeof emailConfirm
    invitation: typeof invitation
    emailRequest: typeof emailRequest
    changePassword: typeof changePassword
    strength: typeof strength
    updatedPolicies: typeof updatedPolicies
  }
}
