import { ApiError } from '@portcullis/client/api-error'
import { useMutation } from '@tanstack/react-query'

type Outcome<T> = { is: 'done'; answer: T } | { is: 'cancelled' }
type UseConfirmedActInput<V, T> = { act: (given: V) => Promise<T>; onDone: (answer: T) => void }

/**
 * A change that may need a fresh sign-in. If the user cancels the dialog, the change is not made, and no error appears.
 */
export function useConfirmedAct<T, V = void>({ act, onDone }: UseConfirmedActInput<V, T>) {
  return useMutation({
    async mutationFn(given: V): Promise<Outcome<T>> {
      try {
        return { is: 'done', answer: await act(given) }
      } catch (error) {
        if (error instanceof ApiError && error.code === 'fresh_sign_in_needed') return { is: 'cancelled' }
        throw error
      }
    },
    onSuccess: (outcome) => {
      if (outcome.is === 'done') onDone(outcome.answer)
    },
  })
}
