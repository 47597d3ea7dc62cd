export const live = {
  live: 'Live',
  reconnecting: 'Reconnecting',
  connecting: 'Connecting',
  ended: 'Not live',
} as const

declare module '../text/texts.ts' {
  interface Texts {
    live: typeof live
  }
}
