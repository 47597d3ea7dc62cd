import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { IconFileAlert } from '@tabler/icons-react'
import type { FilterValues } from '../list/filters/filters.ts'
import { reportAddress } from '../navigation/report-address.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'

/** Begins an incident report over the events that are listed. */
export function KeepAsReport({ values }: { values: FilterValues }) {
  const canReport = useCan('manage', 'Incident Reports')
  const { ref } = useAccount()
  const navigate = useNavigate()
  if (!canReport) return null
  const { path, search } = reportAddress(values)
  const to: string = `/${ref}${path}`
  return (
    <Button
      variant="default"
      leftSection={<IconFileAlert size={16} aria-hidden="true" />}
      onClick={() => void navigate({ to, search })}
    >
      {text('reports.save')}
    </Button>
  )
}
