import { brand } from './brand.ts'

/** The brand's icon, beside or instead of its name. */
export function BrandMark({ size = 26 }: { size?: number }) {
  return <img src={`/brands/${brand.key}/icon.svg`} width={size} height={size} alt="" />
}
