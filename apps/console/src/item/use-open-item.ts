import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/**
 * The item of the open drawer: `?open={_id}`, or `?open=new` for a new one. It is in the address, so that Back closes it
 * and a link opens it.
 */
export function useOpenItem(parameter = 'open') {
  const search: Record<string, string | undefined> = useSearch({ strict: false })
  const navigate = useNavigate()

  // A stable function, so that the rows of a long list are not redrawn for nothing.
  const show = useCallback(
    (value?: string) => {
      void navigate({
        to: '.',
        search: (current: Record<string, string | undefined>) => ({ ...current, [parameter]: value }),
        resetScroll: false,
      })
    },
    [navigate, parameter],
  )

  return {
    openId: search[parameter],
    open: show,
    openNew: () => show('new'),
    close: () => show(),
  }
}
