export const mfa = {
  signInTitle: 'Two-factor authentication',
  setUpTitle: 'Set up two-factor authentication',
  forced: 'An account that you belong to asks for a second factor.',
  signInHint: 'Enter the six-digit code that your authenticator app shows now.',
  code: 'Verification code',
  invalidCode: 'Please enter a valid OTP.',
  wrongCode: 'Invalid OTP provided.',
  enrolFailed: 'Invalid OTP provided. Two-factor authentication setup failed.',
  signIn: 'Sign In',
  useRecoveryCode: 'Use a recovery code instead',
  useApp: 'Use a code of the app instead',
  recoveryHint:
    'Enter one of the recovery codes that you kept when you set up two-factor authentication. Each works once.',
  recoveryCode: 'Recovery code',
  invalidRecoveryCode: 'Twelve letters and digits, such as k7m2-x9qd-4rwt.',
  downloadTitle: 'Download an authenticator app',
  downloadHint:
    'Any app for one-time codes does, such as Google Authenticator, Microsoft Authenticator or FreeOTP. Is one on your telephone already? Go on.',
  scanTitle: 'Scan the QR code',
  scanHint: 'In the app, add an account and scan the code.',
  showQr: 'Show QR',
  qrAlt: 'QR code of the key',
  manualKey: 'Or enter this key by hand',
  copyKey: 'Copy the key',
  enterTitle: 'Enter the verification code',
  enterHint: 'The app now shows six digits, and new ones every 30 seconds.',
  verify: 'Verify',
  setUpComplete: 'MFA setup complete',
  setUpFailed: 'MFA setup failed',
  recoveryTitle: 'Keep your recovery codes',
  recoveryWhy:
    'Each of these signs you in once when your telephone is not at hand. They are shown this once: keep them where only you find them.',
  recoveryList: 'Recovery codes',
  copyCodes: 'Copy',
  downloadCodes: 'Download',
  recoveryDone: 'I have kept them',
  recoveryFileName: 'recovery-codes.txt',
  recoveryFileHead: 'Recovery codes of {{product}}. Each works once.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    mfa: typeof mfa
  }
}
