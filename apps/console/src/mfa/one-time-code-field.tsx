import { TextInput } from '@mantine/core'
import { oneTimeCode } from '@portcullis/contract/calls/mfa'
import type { Ref } from 'react'
import { text } from '../text/text.ts'
import styles from './mfa.module.css'

type Props = {
  ref?: Ref<HTMLInputElement>
  value: string
  onChange: (code: string) => void
  failure: string | undefined
  disabled?: boolean
  autoFocus?: boolean
}

/** Six digits of an authenticator (specification §5); pasted spaces are removed. */
export function OneTimeCodeField({ ref, value, onChange, failure, disabled = false, autoFocus = false }: Props) {
  const isInvalid = value !== '' && !isOneTimeCode(value)
  return (
    <TextInput
      ref={ref ?? null}
      name="code"
      label={text('mfa.code')}
      required
      withAsterisk={false}
      classNames={{ input: styles.code ?? '' }}
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="off"
      spellCheck={false}
      autoFocus={autoFocus}
      data-autofocus={autoFocus || undefined}
      disabled={disabled}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.replace(/\s/gu, ''))}
      error={failure ?? (isInvalid && text('mfa.invalidCode'))}
    />
  )
}

export function isOneTimeCode(value: string) {
  return oneTimeCode.safeParse(value).success
}
