import { Switch } from '@mantine/core'
import { useState } from 'react'
import { text } from '../text/text.ts'
import { askForBrowserAlerts, chime, setAlerts, useAlerts } from './alerts.ts'
import styles from './requests.module.css'

/** Whether this browser calls for new requests, by a sound and by a notification; both are off until somebody asks for them. */
export function AlertSwitches() {
  const { sound, browser } = useAlerts()
  const [isRefused, setRefused] = useState(false)

  async function switchBrowser(isOn: boolean) {
    const isAllowed = isOn && (await askForBrowserAlerts())
    setRefused(isOn && !isAllowed)
    setAlerts({ browser: isAllowed })
  }

  return (
    <div className={styles.switches}>
      <Switch
        size="xs"
        label={text('remote.sound')}
        checked={sound}
        onChange={(event) => {
          setAlerts({ sound: event.currentTarget.checked })
          if (event.currentTarget.checked) chime()
        }}
      />
      <Switch
        size="xs"
        label={text('remote.browser')}
        checked={browser}
        onChange={(event) => void switchBrowser(event.currentTarget.checked)}
      />
      {isRefused && (
        <p className={styles.note} role="alert">
          {text('remote.browserRefused')}
        </p>
      )}
    </div>
  )
}
