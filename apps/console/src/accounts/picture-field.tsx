import { pathOf } from '@portcullis/contract/call'
import { accountImage } from '@portcullis/contract/calls/accounts'
import { Button, FileButton } from '@mantine/core'
import { messageOf } from '../ui/list-notice.tsx'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './account-dialogs.module.css'
import { useAccountChange } from './use-account-change.ts'

/** The picture of the account: kept as soon as it is chosen, apart from the form. */
export function PictureField() {
  const { _id, ref, name, image } = useAccount()
  const said = text('accounts.pictureKept', { name })
  const change = useAccountChange({
    run: (file: File | null) =>
      file === null
        ? client.accounts.removeImage(_id, { account: ref })
        : client.accounts.setImage(_id, { account: ref, file }),
    said,
  })
  return (
    <div className={styles.place}>
      <div className={styles.line}>
        <span>{text('accounts.picture')}</span>
        {image && (
          <img
            className={styles.picture}
            src={`${pathOf(accountImage, { id: ref })}?${new URLSearchParams({ tag: image })}`}
            alt={text('accounts.pictureOf', { name })}
          />
        )}
        <FileButton accept="image/png,image/jpeg,image/webp" onChange={(file) => file && change.mutate(file)}>
          {(props) => (
            <Button {...props} size="xs" variant="default" loading={change.isPending}>
              {text(image ? 'accounts.otherPicture' : 'accounts.addPicture')}
            </Button>
          )}
        </FileButton>
        {image && (
          <Button size="xs" variant="subtle" color="no" disabled={change.isPending} onClick={() => change.mutate(null)}>
            {text('accounts.removePicture')}
          </Button>
        )}
      </div>
      <p className="soft">{text('accounts.pictureHint')}</p>
      <p role="alert" className="refusal">
        {change.isError ? messageOf(change.error) : ''}
      </p>
    </div>
  )
}
