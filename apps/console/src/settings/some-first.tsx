import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { text } from '../text/text.ts'

type Props<T> = { of: readonly T[]; most: number; children: (shown: readonly T[]) => ReactNode }

/** The first few of many, and the others on request. */
export function SomeFirst<T>({ of, most, children }: Props<T>) {
  const [isWhole, setWhole] = useState(false)
  return (
    <>
      {children(isWhole ? of : of.slice(0, most))}
      {!isWhole && of.length > most && (
        <Button variant="subtle" size="xs" onClick={() => setWhole(true)}>
          {text('settings.showAll', { count: of.length })}
        </Button>
      )}
    </>
  )
}
