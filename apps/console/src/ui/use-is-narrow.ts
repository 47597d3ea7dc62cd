import { useMediaQuery } from '@mantine/hooks'

/** Whether the window is as narrow as a phone: rows are cards, and filters are in a sheet. */
export function useIsNarrow(): boolean {
  return useMediaQuery('(max-width: 720px)', undefined, { getInitialValueInEffect: false })
}
