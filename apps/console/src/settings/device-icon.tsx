import { IconDeviceDesktop, IconDeviceMobile, IconTerminal2 } from '@tabler/icons-react'
import { kindOfDevice } from './device-in-words.ts'
import styles from './settings-rows.module.css'

const icons = { computer: IconDeviceDesktop, telephone: IconDeviceMobile, program: IconTerminal2 } as const

/** Decoration: the words stand beside it. */
export function DeviceIcon({ device }: { device: string | null }) {
  const Icon = icons[kindOfDevice(device)]
  return <Icon className={styles.icon} size={20} stroke={1.6} aria-hidden="true" />
}
