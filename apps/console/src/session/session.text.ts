export const rights = {
  changed: 'Your permissions have changed.',
  lost: 'Your permissions have changed: you no longer have access to {{account}}.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    rights: typeof rights
  }
}
