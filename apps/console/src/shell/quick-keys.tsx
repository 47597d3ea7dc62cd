import { IconSearch } from '@tabler/icons-react'
import { useWindowEvent } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useShortcuts } from '../palette/use-shortcuts.ts'
import { text } from '../text/text.ts'
import styles from './quick-keys.module.css'

const ShortcutsDialog = lazy(async () => ({
  default: (await import('../palette/shortcuts-dialog.tsx')).ShortcutsDialog,
}))

/** The button of the command palette in the top bar, and the keys that open it from anywhere. */
export function QuickKeys() {
  const [shown, setShown] = useState<'palette' | 'help'>()
  const close = () => setShown(undefined)
  const { Palette, isError, refetch } = usePalette()
  const [typed, setTyped] = useState('')
  const isBusy = shown === 'help' || (shown === 'palette' && !isError)

  function openPalette() {
    setTyped('')
    setShown('palette')
    if (isError) void refetch()
  }

  useShortcuts({ isBusy, onPalette: openPalette, onHelp: () => setShown('help') })
  // Keys typed before the palette has loaded are its first words.
  useWindowEvent('keydown', (event) => {
    if (shown !== 'palette' || Palette || isError || !isTyping(event)) return
    event.preventDefault()
    if (event.key === 'Escape') close()
    if (event.key === 'Backspace') setTyped((before) => before.slice(0, -1))
    if (event.key.length === 1) setTyped((before) => before + event.key)
  })

  return (
    <>
      <button type="button" className={styles.button} aria-keyshortcuts="Control+K Meta+K" onClick={openPalette}>
        <IconSearch size={16} aria-hidden="true" />
        <span>{text('palette.open')}</span>
        <kbd>Ctrl K</kbd>
      </button>
      {shown === 'palette' && Palette && <Palette firstWords={typed} onClose={close} onHelp={() => setShown('help')} />}
      <Suspense>{shown === 'help' && <ShortcutsDialog onClose={close} />}</Suspense>
    </>
  )
}

/** Whether a key is text, or changes or leaves what was typed. */
function isTyping({ key, isComposing, ctrlKey, metaKey, altKey }: KeyboardEvent) {
  const isText = key.length === 1 || key === 'Escape' || key === 'Backspace'
  return isText && !isComposing && !ctrlKey && !metaKey && !altKey
}

/** The palette loads with the page and is rendered without Suspense, which would delay its first opening. */
function usePalette() {
  const { data, isError, refetch } = useQuery({
    queryKey: ['palette'],
    queryFn: async () => (await import('../palette/palette.tsx')).Palette,
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
    retry: false,
  })
  return { Palette: data, isError, refetch }
}
