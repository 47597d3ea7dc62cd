import { useComputedColorScheme } from '@mantine/core'
import { brand } from './brand.ts'

/** The brand's icon and lettering, which say its name; the light ones on dark grounds, where it has such. */
export function BrandLogo({ height = 26 }: { height?: number }) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const file = scheme === 'dark' && brand.logos === 'light' ? 'logo-light' : 'logo'
  return <img src={`/brands/${brand.key}/${file}.svg`} height={height} alt={brand.product} />
}
