import { useCallback } from 'react'

type Props = { blob: Blob; alt: string; className?: string | undefined; onError?: () => void }

/** A picture that is not at an address, such as one that was requested with headers. Its URL lasts as long as the element. */
export function BlobImage({ blob, ...props }: Props) {
  const show = useCallback(
    (element: HTMLImageElement) => {
      const url = URL.createObjectURL(blob)
      element.src = url
      return () => URL.revokeObjectURL(url)
    },
    [blob],
  )
  return <img {...props} ref={show} />
}
