import { ActionIcon, Group } from '@mantine/core'
import { IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import { text } from '../text/text.ts'
import { BlobImage } from '../ui/blob-image.tsx'
import styles from './plan-canvas.module.css'
import { usePan, useZoom } from './use-zoom.ts'

type Props = {
  name: string
  image: Blob
  size: { width: number; height: number }
  /** The element that the image fills, for positions on it. */
  sheet?: Ref<HTMLDivElement>
  onBroken: () => void
  children: ReactNode
}

/** An image that fits the screen and can be enlarged, with markers on it. */
export function PlanCanvas({ name, image, size, sheet, onBroken, children }: Props) {
  const { zoom, viewport, step, reset, canEnlarge, canReduce } = useZoom()
  const pan = usePan()
  return (
    <div
      ref={(frame) => {
        frame?.style.setProperty('--ratio', String(size.width / size.height))
        frame?.style.setProperty('--zoom', String(zoom))
      }}
      className={styles.frame}
      data-names={zoom >= 2 ? '' : undefined}
    >
      {/* The focusable region scrolls by the arrow keys. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section ref={viewport} className={styles.viewport} tabIndex={0} aria-label={name} {...pan}>
        <div ref={sheet} className={styles.sheet}>
          <BlobImage className={styles.image} blob={image} alt="" onError={onBroken} />
          {children}
        </div>
      </section>
      <Group gap={4} className={styles.zoom}>
        <ActionIcon size={32} aria-label={text('floorPlans.enlarge')} disabled={!canEnlarge} onClick={() => step(1.5)}>
          <IconPlus size={16} aria-hidden="true" />
        </ActionIcon>
        <ActionIcon
          size={32}
          aria-label={text('floorPlans.reduce')}
          disabled={!canReduce}
          onClick={() => step(1 / 1.5)}
        >
          <IconMinus size={16} aria-hidden="true" />
        </ActionIcon>
        <ActionIcon size={32} aria-label={text('floorPlans.fit')} disabled={!canReduce} onClick={reset}>
          <IconMaximize size={16} aria-hidden="true" />
        </ActionIcon>
      </Group>
    </div>
  )
}
