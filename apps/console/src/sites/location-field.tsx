import { NumberInput } from '@mantine/core'
import { IconMapPin } from '@tabler/icons-react'
import { useState } from 'react'
import type { FieldOf } from '../form/use-item-form.ts'
import { text } from '../text/text.ts'
import styles from './location-field.module.css'
import { LocationMap } from './location-map.tsx'
import type { Location } from './map-view.ts'

/** To about a metre. */
const decimals = 5
const mapHeight = 260

/** The location of a site: by its degrees, or by a press on the map. */
export function LocationField({ field, canEdit }: { field: FieldOf<Location | null>; canEdit: boolean }) {
  const { value, error, onChange } = field

  /** A missing half makes the location invalid, and the form says so. */
  function put(changes: Partial<Location>) {
    const { lat, lng } = { lat: Number.NaN, lng: Number.NaN, ...value, ...changes }
    onChange(Number.isNaN(lat) && Number.isNaN(lng) ? null : { lat, lng })
  }

  return (
    <section className={styles.field} aria-labelledby="site-location">
      <h3 id="site-location">{text('siteMap.location')}</h3>
      <p className="soft">{text('siteMap.locationHint')}</p>
      <div className={styles.degrees}>
        {(['lat', 'lng'] as const).map((side) => (
          <Degrees
            key={side}
            label={text(`siteMap.${side}`)}
            isDisabled={!canEdit}
            error={side === 'lat' ? error : undefined}
            value={value?.[side] ?? Number.NaN}
            onChange={(degrees) => put({ [side]: degrees })}
          />
        ))}
      </div>
      <LocationMap
        label={text('siteMap.location')}
        height={mapHeight}
        items={value && isOnEarth(value) ? [{ location: value }] : []}
        {...(canEdit ? { onPress: (at: Location) => put({ lat: rounded(at.lat), lng: rounded(at.lng) }) } : {})}
      >
        {() => <IconMapPin size={28} aria-hidden="true" className={styles.pin} />}
      </LocationMap>
    </section>
  )
}

type DegreesProps = {
  label: string
  isDisabled: boolean
  error: string | undefined
  /** NaN: missing. */
  value: number
  onChange: (value: number) => void
}

/** Keeps the text while it is typed: `-` and `33.` are on the way to a number. */
function Degrees({ label, isDisabled, error, value, onChange }: DegreesProps) {
  const [typed, setTyped] = useState<number | string>('')
  const written = Number.isNaN(value) ? '' : value
  return (
    <NumberInput
      label={label}
      hideControls
      decimalScale={decimals}
      disabled={isDisabled}
      error={error}
      value={Object.is(numberIn(typed), value) ? typed : written}
      onChange={(next) => {
        setTyped(next)
        onChange(numberIn(next))
      }}
    />
  )
}

function numberIn(typed: number | string) {
  return typed === '' ? Number.NaN : Number(typed)
}

function isOnEarth({ lat, lng }: Location) {
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180
}

function rounded(degrees: number) {
  return Number(degrees.toFixed(decimals))
}
