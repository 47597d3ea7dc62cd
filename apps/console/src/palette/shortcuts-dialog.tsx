import { Modal, Switch } from '@mantine/core'
import { Fragment, useState } from 'react'
import { text } from '../text/text.ts'
import { shortcuts } from './shortcuts.ts'
import styles from './shortcuts-dialog.module.css'
import { areSingleKeysOn, turnSingleKeys } from './single-keys.ts'

/** The keyboard shortcuts, and the switch for users who cannot use single keys. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useState(areSingleKeysOn)

  return (
    <Modal
      opened
      onClose={onClose}
      title={text('palette.shortcuts')}
      size={560}
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      <div className={styles.sections}>
        {shortcuts.map(({ heading, entries }) => (
          <section key={heading}>
            <h3>{heading}</h3>
            <dl>
              {entries.map(({ keys, label }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>
                    {keys.map((key, index) => (
                      <Fragment key={key}>
                        {index > 0 && keys[0] === 'G' && <span>{text('palette.keys.afterwards')}</span>}
                        <kbd>{key}</kbd>
                      </Fragment>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Switch
        mt={20}
        label={text('palette.keys.single')}
        description={text('palette.keys.singleHint')}
        checked={isOn}
        onChange={(event) => {
          const to = event.currentTarget.checked ? 'on' : 'off'
          turnSingleKeys(to)
          setOn(to === 'on')
        }}
      />
    </Modal>
  )
}
