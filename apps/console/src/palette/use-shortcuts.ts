import { useWindowEvent } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { goTo, isGoKey } from './shortcuts.ts'
import { areSingleKeysOn } from './single-keys.ts'
import { useDestinations } from './use-destinations.ts'
import { useSession } from '../session/session-context.tsx'

type UseShortcutsInput = { isBusy: boolean; onPalette: () => void; onHelp: () => void }

/** For how long after `g` a letter belongs to it, in milliseconds. */
const chordMs = 1_500

/** Listens for the shortcuts of the console, except while the user types in a field, or a dialog is open or about to be (`isBusy`). */
export function useShortcuts({ isBusy, onPalette, onHelp }: UseShortcutsInput) {
  const { account } = useSession()
  const destinations = useDestinations()
  const navigate = useNavigate()
  const wentAt = useRef(Number.NEGATIVE_INFINITY)

  useWindowEvent('keydown', (event) => {
    if (event.isComposing || event.defaultPrevented) return
    if (isPaletteKey(event)) return take(event, onPalette)
    if (event.ctrlKey || event.metaKey || event.altKey || !areSingleKeysOn()) return
    if (isBusy || isForOthers(event.target)) return
    onSingleKey(event)
  })

  function onSingleKey(event: KeyboardEvent) {
    const isChord = event.timeStamp - wentAt.current < chordMs
    wentAt.current = Number.NEGATIVE_INFINITY
    const key = event.key.toLowerCase()
    if (isChord && isGoKey(key)) return take(event, () => go(goTo[key]))
    if (key === 'g') wentAt.current = event.timeStamp
    if (key === '?') take(event, onHelp)
    if (key === '/') focusSearch(event)
    if (key === 'n') addHere(event)
  }

  function go(path: string) {
    const isOpen = destinations.some((destination) => destination.path === path)
    if (isOpen) void navigate({ href: `/${account.ref}${path}` })
  }

  function addHere(event: KeyboardEvent) {
    const place = location.pathname.slice(account.ref.length + 1)
    const form = destinations.find(({ kind, path }) => kind === 'action' && path === `${place}?open=new`)
    if (form) take(event, () => void navigate({ href: `/${account.ref}${form.path}` }))
  }
}

function take(event: KeyboardEvent, act: () => void) {
  event.preventDefault()
  act()
}

function isPaletteKey({ ctrlKey, metaKey, altKey, shiftKey, key }: KeyboardEvent) {
  return (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k'
}

function focusSearch(event: KeyboardEvent) {
  const search = document.querySelector<HTMLInputElement>('main input[type=search]')
  if (search) take(event, () => search.focus())
}

function isForOthers(target: EventTarget | null) {
  if (document.querySelector('[role=dialog], [role=menu], [role=listbox]')) return true
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
}
