export const rights = {
  changed: 'Your rights have changed.',
  lost: 'Your rights have changed: you no longer have access to {{account}}.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    rights: typeof rights
  }
}
