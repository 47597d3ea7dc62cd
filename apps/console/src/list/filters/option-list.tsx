import { IconCheck } from '@tabler/icons-react'
import styles from './option-list.module.css'

type Props = {
  label: string
  value: string | undefined
  options: readonly { value: string; label: string }[]
  onChange: (value: string | undefined) => void
}

/** A list of options with one selected; pressing the selected one clears it. */
export function OptionList({ label, value, options, onChange }: Props) {
  return (
    <div role="group" aria-label={label} className={styles.options}>
      {options.map((option) => {
        const isOn = option.value === value
        return (
          <button
            key={option.value}
            type="button"
            aria-pressed={isOn}
            className={styles.option}
            onClick={() => onChange(isOn ? undefined : option.value)}
          >
            {option.label}
            {isOn && <IconCheck size={15} aria-hidden="true" />}
          </button>
        )
      })}
    </div>
  )
}
