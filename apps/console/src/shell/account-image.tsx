import { pathOf } from '@portcullis/contract/call'
import { accountImage } from '@portcullis/contract/calls/accounts'
import { useState } from 'react'
import { useAccount } from '../session/session-context.tsx'
import { BrandLogo } from '../theme/brand-logo.tsx'
import { BrandMark } from '../theme/brand-mark.tsx'
import { brand } from '../theme/brand.ts'
import styles from './account-image.module.css'

/** The picture of the current account; the brand's logo and icon where there is none, or it fails to load. */
export function AccountImage({ form }: { form: 'whole' | 'icon' }) {
  const { ref, name, image } = useAccount()
  const [failed, setFailed] = useState<string>()
  if (image === null || failed === image) {
    return form === 'whole' ? <BrandLogo /> : <BrandMark size={28} name={brand.product} />
  }
  // The tag changes with the picture, so that a new one appears at once.
  const src = `${pathOf(accountImage, { id: ref })}?${new URLSearchParams({ tag: image })}`
  return <img src={src} alt={name} className={styles.image} onError={() => setFailed(image)} />
}
