export const live = {
  live: 'Live',
  reconnecting: 'Reconnecting',
  connecting: 'Connecting',
  ended: 'Not live',
} as const

declare module '../text/text.ts' {
  interface Texts {
    live: typeof live
  }
}
