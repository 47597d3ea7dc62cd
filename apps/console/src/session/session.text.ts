export const rights = {
  changed: 'Your rights have changed.',
  lost: 'Your rights have changed: {{account}} is not open to you any more.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    rights: typeof rights
  }
}
