import { Fragment, type ReactNode } from 'react'
import { piecesOf } from '../text/phrase.ts'
import type { TextKey, ValuesOf } from '../text/text.ts'

type Props<K extends TextKey> = { of: K; values: ValuesOf<K, ReactNode> }

/** A text of the catalogue with elements as values: `<TextWith of="doorModes.sentAt" values={{ time: <Time at={at} /> }} />`. */
export function TextWith<K extends TextKey>({ of, values }: Props<K>) {
  return piecesOf<K, ReactNode>(of, values).map((piece, index) => <Fragment key={`${index}`}>{piece}</Fragment>)
}
