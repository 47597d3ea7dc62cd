import { createContext, type ReactNode, use, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'

type Slots = { beside: HTMLElement | null; actions: HTMLElement | null }

const SlotsContext = createContext<Slots | undefined>(undefined)

/**
 * Gives the head of a screen, or of a section, two places that the list below it fills: `beside` the title for its
 * live badge, and `actions` for its buttons.
 */
export function ListSlots({
  children,
}: {
  children: (places: { beside: ReactNode; actions: ReactNode }) => ReactNode
}) {
  const [beside, setBeside] = useState<HTMLElement | null>(null)
  const [actions, setActions] = useState<HTMLElement | null>(null)
  const slots = useMemo(() => ({ beside, actions }), [beside, actions])
  return (
    <SlotsContext value={slots}>
      {children({
        beside: <span ref={setBeside} style={{ display: 'contents' }} />,
        actions: <span ref={setActions} style={{ display: 'contents' }} />,
      })}
    </SlotsContext>
  )
}

/** Renders a part of a list into a place of the head above it; without such a head, where it is. */
export function IntoSlot({ place, children }: { place: keyof Slots; children: ReactNode }) {
  const slots = use(SlotsContext)
  if (!slots) return children
  const target = slots[place]
  return target && createPortal(children, target)
}
