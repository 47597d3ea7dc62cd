import { Button, Menu } from '@mantine/core'
import { holidays } from '@portcullis/contract/collections/holidays'
import { useMutation } from '@tanstack/react-query'
import { useList } from '../item/use-list.ts'
import { client } from '../session/client.ts'
import { text } from '../text/text.ts'
import { messageOf } from '../ui/list-notice.tsx'
import { saveFile } from '../ui/save-file.ts'
import { toast } from '../ui/toasts.ts'

const maxHolidays = 500

/** Saves the holidays of a calendar, or of all, as a file that other calendar programs read. */
export function ExportCalendar() {
  const { data } = useList(holidays, { size: maxHolidays, sort: { prop: 'calendar', dir: 'asc' } })
  const calendars = new Set(data?.items.flatMap(({ calendar }) => calendar ?? []))
  const { mutate, isPending } = useMutation({
    mutationFn: async (calendar: string | undefined) => {
      const { fileName, response } = await client.holidays.exportCalendar(calendar)
      saveFile(await response.blob(), fileName)
    },
    onSuccess: () => toast({ text: text('holidays.exported') }),
    onError: (error) => toast({ tone: 'refusal', text: messageOf(error) }),
  })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" loading={isPending}>
          {text('holidays.exportCalendar')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => mutate(undefined)}>{text('holidays.allCalendars')}</Menu.Item>
        {[...calendars].map((calendar) => (
          <Menu.Item key={calendar} onClick={() => mutate(calendar)}>
            <bdi>{calendar}</bdi>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
