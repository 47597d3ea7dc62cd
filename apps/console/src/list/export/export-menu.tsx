import { Button, Menu } from '@mantine/core'
import { exportFormats } from '@portcullis/contract/export-request'
import type { Collection } from '@portcullis/contract/collection'
import type { ListQuery } from '@portcullis/contract/list-query'
import { IconDownload } from '@tabler/icons-react'
import { text } from '../../text/text.ts'
import compact from '../../ui/compact-button.module.css'
import styles from './export-menu.module.css'
import { type Download, startExport } from './exports.ts'
import { viewerZone, zoneInWords } from '../../time/time-text.ts'

type Props = {
  of: Collection
  /** The name of the list. */
  label: string
  query: ListQuery
  columns: readonly { field: string; title: string; words?: Readonly<Record<string, string>> }[]
  /** How many rows there are; undefined if it is not known. */
  total: number | undefined
  /** Only the selected rows, or the rows of another collection. */
  words?: string
  download?: Download
}

/** All pages of a list as a file: the rows, the order and the visible columns, with names instead of ids. */
export function ExportMenu({ of, label, query, columns, total, words, download }: Props) {
  const { filter, sort, search } = query
  const request = {
    title: label,
    columns,
    timeZone: viewerZone,
    ...(filter ? { filter } : {}),
    ...(sort ? { sort } : {}),
    ...(search ? { search } : {}),
  }
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button
          variant="default"
          disabled={columns.length === 0}
          classNames={words === undefined ? compact : {}}
          leftSection={<IconDownload size={16} aria-hidden="true" />}
        >
          {words ?? text('list.export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <p className={styles.hint}>
          {total === undefined
            ? text('list.exportAll', { zone: zoneInWords(viewerZone) })
            : text('list.exportHint', { count: total, zone: zoneInWords(viewerZone) })}
        </p>
        {exportFormats.map((format) => (
          <Menu.Item
            key={format}
            onClick={() =>
              startExport({
                of,
                name: label,
                total,
                request: { format, ...request },
                ...(download ? { download } : {}),
              })
            }
          >
            {text(`list.formats.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
