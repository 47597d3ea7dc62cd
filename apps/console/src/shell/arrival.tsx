import { VisuallyHidden } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useState } from 'react'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { drawerMark } from './navigation-drawer.tsx'

/** Who comes to another screen finds the focus there, and hears where they are: a browser does both only where it loads a page. */
export function Arrival() {
  const router = useRouter()
  const { name } = useAccount()
  const [title, setTitle] = useState('')
  useLayoutEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return
        focusScreen()
        // In another account the same screen has the same title.
        setTitle(document.title)
      }),
    [router],
  )
  useEffect(() => {
    const observer = new MutationObserver((changes) => {
      if (changes.some(isOfTitle)) setTitle(document.title)
    })
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [])
  return <VisuallyHidden role="status">{title && text('shell.arrived', { title, account: name })}</VisuallyHidden>
}

/** A screen that has taken the focus itself keeps it, and so does a dialog that stays over it. */
function focusScreen() {
  const main = document.getElementById('content')
  const focused = document.activeElement
  const dialog = focused?.closest('[role="dialog"]')
  if (main?.contains(focused ?? null) || (dialog && !dialog.closest(`[${drawerMark}]`))) return
  main?.focus({ preventScroll: true })
}

function isOfTitle({ target, addedNodes }: MutationRecord) {
  return [target, target.parentNode, ...addedNodes].some((node) => node instanceof HTMLTitleElement)
}
