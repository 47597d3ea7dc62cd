export const mfa = {
  signInTitle: 'Two-factor authentication',
  setUpTitle: 'Set up two-factor authentication',
  forced: 'An account that you belong to, or this installation, requires two-factor authentication.',
  signInHint: 'Enter the 6-digit code that your authenticator app shows now.',
  code: 'Verification code',
  invalidCode: 'Please enter a valid OTP.',
  enrolFailed: 'Invalid OTP provided. Two-factor authentication setup failed.',
  signIn: 'Sign In',
  useRecoveryCode: 'Use a recovery code instead',
  useApp: 'Use a code from the app instead',
  recoveryHint:
    'Enter one of the recovery codes that you saved when you set up two-factor authentication. Each works once.',
  recoveryCode: 'Recovery code',
  invalidRecoveryCode: 'Enter 12 letters and digits, such as k7m2-x9qd-4rwt.',
  downloadTitle: 'Download an authenticator app',
  downloadHint:
    'Use any app for one-time codes, such as Google Authenticator, Microsoft Authenticator or FreeOTP. If you already have one on your phone, continue.',
  scanTitle: 'Scan the QR code',
  scanHint: 'In the app, add an account and scan the code.',
  showQr: 'Show QR',
  qrAlt: 'QR code of the key',
  manualKey: 'Or enter this key by hand',
  copyKey: 'Copy the key',
  enterTitle: 'Enter the verification code',
  enterHint: 'The app shows a 6-digit code, and a new one every 30 seconds.',
  verify: 'Verify',
  setUpComplete: 'MFA setup complete',
  setUpFailed: 'MFA setup failed',
  recoveryTitle: 'Save your recovery codes',
  recoveryWhy:
    'Each code signs you in once without your phone. They are shown only now: keep them where only you can find them.',
  recoveryList: 'Recovery codes',
  copyCodes: 'Copy',
  downloadCodes: 'Download',
  recoveryDone: 'I have saved them',
  recoveryFileName: 'recovery-codes.txt',
  recoveryFileHead: 'Recovery codes of {{product}}. Each works once.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    mfa: typeof mfa
  }
}
