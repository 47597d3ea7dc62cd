import { Button, Menu } from '@mantine/core'
import { type ExportFormat, exportFormats } from '@portcullis/contract/export-request'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../ui/list-notice.tsx'
import { saveFile } from '../ui/save-file.ts'
import { viewerZone, zoneInWords } from '../time/time-text.ts'
import { text } from '../text/text.ts'
import styles from './save-menu.module.css'

type Fetched = Promise<{ fileName: string; response: Response }>

/** Exports the whole list, not only the page. */
export function SaveMenu({ fetchFile }: { fetchFile: (format: ExportFormat) => Fetched }) {
  const save = useMutation({
    mutationFn: async (format: ExportFormat) => {
      const { fileName, response } = await fetchFile(format)
      saveFile(await response.blob(), fileName)
    },
  })
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button
            variant="default"
            loading={save.isPending}
            leftSection={<IconDownload size={16} aria-hidden="true" />}
          >
            {text('explorer.save')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <p className={styles.hint}>{text('explorer.saveHint', { zone: zoneInWords(viewerZone) })}</p>
          {exportFormats.map((format) => (
            <Menu.Item key={format} onClick={() => save.mutate(format)}>
              {text(`explorer.formats.${format}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {save.isError && (
        <p role="alert" className="refusal">
          {text('explorer.saveFailed', { reason: messageOf(save.error) })}
        </p>
      )}
    </>
  )
}
