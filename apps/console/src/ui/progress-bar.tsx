import styles from './progress-bar.module.css'

type Props = {
  label: string
  /** Undefined if the progress is unknown. */
  done: number | undefined
  total: number
}

/** The progress of a long task. */
export function ProgressBar({ label, done, total }: Props) {
  const percent = done === undefined || total === 0 ? undefined : Math.min(100, Math.round((done / total) * 100))
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className={styles.bar}
      data-unknown={percent === undefined ? '' : undefined}
    >
      <div style={percent === undefined ? undefined : { width: `${percent}%` }} />
    </div>
  )
}
