import { conjunction, listOf } from './catalogue.ts'
import { text } from './text.ts'

/** `Ann, Ben and 3 more` */
export function withMore(words: readonly string[], count: number): string {
  return count > 0 ? conjunction.format([...words, text('form.more', { count })]) : listOf(words)
}
