import { useState } from 'react'
import { useAccount } from '../session/session-context.tsx'
import { useAccountPicture } from '../session/use-account-picture.ts'
import { BrandLogo } from '../theme/brand-logo.tsx'
import { BrandMark } from '../theme/brand-mark.tsx'
import { brand } from '../theme/brand.ts'
import { BlobImage } from '../ui/blob-image.tsx'
import styles from './account-image.module.css'

/** The picture of the current account; the brand's logo and icon where there is none, or it fails to load. */
export function AccountImage({ form }: { form: 'whole' | 'icon' }) {
  const { name } = useAccount()
  const picture = useAccountPicture()
  const [failed, setFailed] = useState<Blob>()
  // The place of the picture stays empty while it loads.
  if (picture === undefined) return <span className={styles.image} />
  if (picture === null || picture === failed) {
    return form === 'whole' ? <BrandLogo /> : <BrandMark size={28} name={brand.product} />
  }
  return <BlobImage blob={picture} alt={name} className={styles.image} onError={() => setFailed(picture)} />
}
