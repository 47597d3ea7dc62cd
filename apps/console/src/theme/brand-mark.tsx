import { brand } from './brand.ts'

type Props = {
  size?: number
  /** Only where it appears alone: beside the brand's name it is decorative. */
  name?: string
}

/** The brand's icon, beside or instead of its name. */
export function BrandMark({ size = 26, name = '' }: Props) {
  return <img src={`/brands/${brand.key}/icon.svg`} width={size} height={size} alt={name} />
}
