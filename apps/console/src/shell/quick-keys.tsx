import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useShortcuts } from '../palette/use-shortcuts.ts'
import { text } from '../text/text.ts'
import styles from './quick-keys.module.css'

const loadPalette = () => import('../palette/palette.tsx')
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }))
const ShortcutsDialog = lazy(async () => ({
  default: (await import('../palette/shortcuts-dialog.tsx')).ShortcutsDialog,
}))

/** The button of the command palette in the top bar, and the keys that open it from anywhere. */
export function QuickKeys() {
  const [shown, setShown] = useState<'palette' | 'help'>()
  const close = () => setShown(undefined)
  // Users type on right after Ctrl K, so the field must already be there.
  useEffect(() => void loadPalette(), [])
  useShortcuts({ onPalette: () => setShown('palette'), onHelp: () => setShown('help') })

  return (
    <>
      <button
        type="button"
        className={styles.button}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setShown('palette')}
      >
        <IconSearch size={16} aria-hidden="true" />
        <span>{text('palette.open')}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <Suspense>
        {shown === 'palette' && <Palette onClose={close} onHelp={() => setShown('help')} />}
        {shown === 'help' && <ShortcutsDialog onClose={close} />}
      </Suspense>
    </>
  )
}
