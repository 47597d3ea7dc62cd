import { useMediaQuery } from '@mantine/hooks'

/** Whether the window is as wide as a telephone: rows are then cards, and filters are in a sheet. */
export function useIsNarrow(): boolean {
  return useMediaQuery('(max-width: 720px)', undefined, { getInitialValueInEffect: false })
}
