import { Button, Group, Modal, PasswordInput, TextInput } from '@mantine/core'
import { ApiError, isConflict } from '@portcullis/client/api-error'
import { useMutation } from '@tanstack/react-query'
import { createContext, type ReactNode, type SubmitEvent, use, useCallback, useState } from 'react'
import { client } from '../session/client.ts'
import { failureText } from '../session/failure-text.ts'
import { useSession } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './confirm-identity.module.css'

type End = 'confirmed' | 'cancelled'
type Outcome<T> = { is: 'done'; answer: T } | { is: 'cancelled' }
type Confirmed = <T>(act: () => Promise<T>) => Promise<Outcome<T>>

const ConfirmedContext = createContext<Confirmed | undefined>(undefined)

/**
 * Wraps what may need a fresh sign-in. Where the server requires one (403 `fresh_sign_in_needed`), a dialog asks for the
 * password, and then the requested action runs by itself.
 */
export function ConfirmIdentity({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<{ end: (how: End) => void }>()

  const confirmed = useCallback(async function confirmed<T>(act: () => Promise<T>): Promise<Outcome<T>> {
    try {
      return { is: 'done', answer: await act() }
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'fresh_sign_in_needed') throw error
    }
    const { promise, resolve } = Promise.withResolvers<End>()
    setQuestion({ end: resolve })
    const how = await promise
    setQuestion(undefined)
    return how === 'cancelled' ? { is: 'cancelled' } : { is: 'done', answer: await act() }
  }, [])

  return (
    <ConfirmedContext value={confirmed}>
      {children}
      {question && <Question onEnd={question.end} />}
    </ConfirmedContext>
  )
}

type UseConfirmedActInput<V, T> = { act: (given: V) => Promise<T>; onDone: (answer: T) => void }

/** A change that may need a fresh sign-in; cancelled in the dialog, it neither fails nor is done. */
export function useConfirmedAct<T, V = void>({ act, onDone }: UseConfirmedActInput<V, T>) {
  const confirmed = use(ConfirmedContext)
  if (!confirmed) throw new Error('useConfirmedAct must be used inside ConfirmIdentity.')
  return useMutation({
    mutationFn: (given: V) => confirmed(() => act(given)),
    onSuccess: (outcome) => {
      if (outcome.is === 'done') onDone(outcome.answer)
    },
  })
}

function Question({ onEnd }: { onEnd: (how: End) => void }) {
  const { user, mfa } = useSession()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  // The state of the second factor may be out of date here: the server requires a code where it needs one.
  const [isCodeRequired, setCodeRequired] = useState(mfa.enrolled && (mfa.enabled || mfa.enforced))
  const confirm = useMutation({
    mutationFn: () => client.sessions.confirm({ password, ...(isCodeRequired ? { code: code.trim() } : {}) }),
    onSuccess: () => onEnd('confirmed'),
    onError(error) {
      if (isConflict(error)) onEnd('confirmed')
      if (codeOf(error) === 'wrong_code') setCodeRequired(true)
    },
  })
  const failure = failureOf(confirm.error)
  const failureAt = (place: string) => failure?.at === place && failure.sentence
  const canConfirm = password !== '' && (!isCodeRequired || code.trim() !== '')

  function submit(event: SubmitEvent) {
    event.preventDefault()
    // The form may be inside another form in React's tree.
    event.stopPropagation()
    if (canConfirm && !confirm.isPending) confirm.mutate()
  }

  return (
    <Modal
      opened
      onClose={() => onEnd('cancelled')}
      title={text('settings.confirm.title')}
      size={400}
      zIndex={400}
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      <form onSubmit={submit} noValidate className={styles.form}>
        <p className="soft">{text('settings.confirm.hint')}</p>
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordInput
          name="password"
          label={text('settings.confirm.password')}
          autoComplete="current-password"
          data-autofocus
          value={password}
          onChange={(event) => {
            setPassword(event.currentTarget.value)
            confirm.reset()
          }}
          error={failureAt('password')}
          aria-invalid={failureAt('password') !== false}
          visibilityToggleButtonProps={{ 'aria-label': text('login.showPassword'), tabIndex: 0 }}
        />
        {isCodeRequired && (
          <TextInput
            name="code"
            label={text('settings.confirm.code')}
            description={text('settings.confirm.codeHint')}
            autoComplete="one-time-code"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={20}
            value={code}
            onChange={(event) => {
              setCode(event.currentTarget.value)
              confirm.reset()
            }}
            error={failureAt('code')}
          />
        )}
        <div role="alert" className="refusal">
          {failureAt('form')}
        </div>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={() => onEnd('cancelled')}>
            {text('action.cancel')}
          </Button>
          <Button type="submit" loading={confirm.isPending} disabled={!canConfirm}>
            {text('settings.confirm.confirm')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

function failureOf(error: Error | null): { at: 'password' | 'code' | 'form'; sentence: string } | undefined {
  if (error === null) return undefined
  switch (codeOf(error)) {
    case 'wrong_credentials':
      return { at: 'password', sentence: text('settings.confirm.wrongPassword') }
    case 'wrong_code':
      return { at: 'code', sentence: failureText(error) }
    default:
      return { at: 'form', sentence: failureText(error) }
  }
}

function codeOf(error: Error) {
  return error instanceof ApiError ? error.code : undefined
}
