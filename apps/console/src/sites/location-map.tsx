import { ActionIcon } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { decimal } from '../text/catalogue.ts'
import { latText, lngText } from './degrees-text.ts'
import { text } from '../text/text.ts'
import styles from './location-map.module.css'
import {
  clustersOf,
  graticuleOf,
  type Location,
  locationAt,
  type MapFrame,
  type MapView,
  movedBy,
  scaleOf,
  viewOf,
  zoomedBy,
} from './map-view.ts'
import { useMapPointers } from './use-map-pointers.ts'

type Props<T> = {
  label: string
  items: readonly T[]
  /** In pixels. */
  height?: number
  /** The marker of an item, or of several that would overlap; `onNear` shows these closer. */
  children: (items: readonly T[], onNear: () => void) => ReactNode
  /** A press on the map itself. */
  onPress?: (location: Location) => void
}

const usualHeight = 420
const widthUntilMeasured = 800
const [zoomFactor, keyPx] = [2, 80]

/** Locations on a map of degrees and distances, drawn without any other data; moved by mouse, touch and keyboard. */
export function LocationMap<T extends { location: Location }>({
  label,
  items,
  height = usualHeight,
  children,
  onPress,
}: Props<T>) {
  const { ref: sizeRef, width: measured } = useElementSize()
  const [chosen, setChosen] = useState<MapView>()
  const size = { width: measured || widthUntilMeasured, height }
  const whole = viewOf(
    items.map(({ location }) => location),
    size,
  )
  const frame: MapFrame = { ...size, view: chosen ?? whole }
  const centre = { x: size.width / 2, y: height / 2 }
  const zoom = (factor: number, at = centre) => setChosen(zoomedBy(frame, { factor, at }))
  const { wheelRef, handlers } = useMapPointers({
    onMove: (by) => setChosen((current) => movedBy(current ?? whole, by)),
    onZoom: ({ factor, at }) => setChosen((current) => zoomedBy({ ...size, view: current ?? whole }, { factor, at })),
    onPress: (at) => onPress?.(locationAt(at, frame)),
  })

  const ref = useMergedRef(sizeRef, wheelRef)

  function press(event: KeyboardEvent) {
    const action = keyActions[event.key]
    if (!action || event.target !== event.currentTarget) return
    event.preventDefault()
    if ('factor' in action) zoom(action.factor)
    else setChosen(movedBy(frame.view, action))
  }

  return (
    <div className={styles.map}>
      {/* biome-ignore lint/a11y: the map is moved by keys, and its buttons do the same */}
      <div
        ref={ref}
        className={styles.area}
        style={{ height }}
        role="group"
        aria-label={text('siteMap.keys', { label })}
        tabIndex={0}
        data-pressable={onPress ? '' : undefined}
        onKeyDown={press}
        {...handlers}
      >
        <Graticule frame={frame} />
        {clustersOf(items, frame).map(({ at, items: group }) => (
          <div key={`${at.x} ${at.y}`} className={styles.marker} style={{ left: at.x, top: at.y }}>
            {children(group, () => setChosen(nearView(group, frame)))}
          </div>
        ))}
      </div>
      <div className={styles.tools}>
        <ActionIcon aria-label={text('siteMap.nearer')} onClick={() => zoom(zoomFactor)}>
          <IconPlus size={16} />
        </ActionIcon>
        <ActionIcon aria-label={text('siteMap.farther')} onClick={() => zoom(1 / zoomFactor)}>
          <IconMinus size={16} />
        </ActionIcon>
        <ActionIcon aria-label={text('siteMap.whole')} onClick={() => setChosen(undefined)}>
          <IconFocusCentered size={16} />
        </ActionIcon>
      </div>
      <Scale frame={frame} />
    </div>
  )
}

type KeyAction = { factor: number } | { x: number; y: number }

const keyActions: Readonly<Record<string, KeyAction | undefined>> = {
  '+': { factor: zoomFactor },
  '=': { factor: zoomFactor },
  '-': { factor: 1 / zoomFactor },
  ArrowLeft: { x: keyPx, y: 0 },
  ArrowRight: { x: -keyPx, y: 0 },
  ArrowUp: { x: 0, y: keyPx },
  ArrowDown: { x: 0, y: -keyPx },
}

/** Sites at one address stay together at any scale. */
function nearView(group: readonly { location: Location }[], { width, height: tall, view }: MapFrame) {
  const near = viewOf(
    group.map(({ location }) => location),
    { width, height: tall },
  )
  return { ...near, worldPx: Math.max(near.worldPx, view.worldPx) }
}

function Graticule({ frame }: { frame: MapFrame }) {
  const { meridians, parallels } = graticuleOf(frame)
  return (
    <svg className={styles.lines} width={frame.width} height={frame.height} aria-hidden="true">
      {meridians.map(({ degrees, px }) => (
        <g key={degrees}>
          <line x1={px} x2={px} y1={0} y2={frame.height} data-zero={degrees === 0 ? '' : undefined} />
          <text x={px + 4} y={frame.height - 6}>
            {lngText(degrees)}
          </text>
        </g>
      ))}
      {parallels.map(({ degrees, px }) => (
        <g key={degrees}>
          <line y1={px} y2={px} x1={0} x2={frame.width} data-zero={degrees === 0 ? '' : undefined} />
          <text x={4} y={px - 4}>
            {latText(degrees)}
          </text>
        </g>
      ))}
    </svg>
  )
}

function Scale({ frame }: { frame: MapFrame }) {
  const { metres, px } = scaleOf(frame)
  const words =
    metres >= 1_000
      ? text('siteMap.kilometres', { count: decimal.format(metres / 1_000) })
      : text('siteMap.metres', { count: decimal.format(metres) })
  return (
    <span className={styles.scale} style={{ width: px }}>
      {words}
    </span>
  )
}
