import { useComputedColorScheme } from '@mantine/core'
import { brand } from './brand.ts'

/** The brand's icon and lettering, with its name as the label; the light versions on dark grounds, where it has them. */
export function BrandLogo({ height = 26 }: { height?: number }) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const file = scheme === 'dark' && brand.logos === 'light' ? 'logo-light' : 'logo'
  return <img src={`/brands/${brand.key}/${file}.svg`} height={height} alt={brand.product} />
}
