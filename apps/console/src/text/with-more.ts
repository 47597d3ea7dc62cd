import { text } from './text.ts'

/** `Ann, Ben and 3 more` */
export function withMore(words: string, count: number): string {
  return count > 0 ? `${words} ${text('form.andMore', { count })}` : words
}
