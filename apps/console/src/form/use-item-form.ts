import { ApiError, isConflict } from '@portcullis/client/api-error'
import type { ChangePreview } from '@portcullis/contract/change-preview'
import type { Collection, EntityOf } from '@portcullis/contract/collection'
import { useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { useSession } from '../session/session-context.tsx'
import { fieldHint, fieldLabel } from '../text/field-label.ts'
import { problemText } from '../text/error-text.ts'
import { text } from '../text/text.ts'
import type { ContestedField } from './conflict-notice.tsx'
import { changesOf, checkFields, fieldOfPath, isSame } from './form-check.ts'
import { idOf, nameOf, part, versionOf } from '../item/item-parts.ts'
import { messageOf } from '../ui/list-notice.tsx'
import { formValues, settableFields, type ValuesOf } from './form-values.ts'
import { useDraft } from './use-draft.ts'
import { useOfferUndo } from '../item/use-offer-undo.ts'
import { useRoomPreview, useSave } from '../item/use-save.ts'
import { without } from '../ui/without.ts'

/** One field of a form, as the components in `fields.tsx` take it. */
export type FieldOf<T> = {
  name: string
  label: string
  /** The hint below it. */
  hint: string | undefined
  value: T
  error: string | undefined
  isRequired: boolean
  /** Whether it may be null. */
  isNullable: boolean
  /** Set on creation only, and the item exists. */
  isFixed: boolean
  onChange(value: T): void
}

export type ItemForm<C extends Collection> = ReturnType<typeof useItemForm<C>>

type UseItemFormInput<C extends Collection> = {
  of: C
  /** The item being edited; undefined for a new one. */
  item: EntityOf<C> | undefined
  /** The initial values of a new item, where they differ from the schema's. */
  initial?: Partial<ValuesOf<C>>
  /** Errors by field that the schemas cannot find: one field depends on another. */
  check?: (values: ValuesOf<C>) => Record<string, string>
  /** Values derived from the others when a new item is saved, which no user enters. */
  complete?: (values: ValuesOf<C>) => Partial<ValuesOf<C>>
  onSaved?: (item: EntityOf<C>) => void
}

/**
 * A form for one item of a collection. It checks with the collection's own schemas, sends only changes, shows the server's
 * errors at their fields, and keeps the changes of another user who saved first (`conflict`) until this user has decided.
 *
 *   const form = useItemForm({ of: sites, item, onSaved: onClose })
 *   <ItemDrawer form={form} …><TextField field={form.field('name')} /></ItemDrawer>
 */
export function useItemForm<C extends Collection>({
  of,
  item,
  initial,
  check,
  complete,
  onSaved,
}: UseItemFormInput<C>) {
  const [base, setBase] = useState(() => ({ item, values: formValues(of, item, initial) }))
  const [values, setValues] = useState(base.values)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<string>()
  const [holder, setHolder] = useState<ApiError['holder']>()
  const [savedElsewhere, setSavedElsewhere] = useState<EntityOf<C>>()
  const [tried, setTried] = useState<{ preview: ChangePreview; version: number | undefined }>()
  const isSavedNow = useRef(false)
  /** The values on the screen; undefined once the form is closed. */
  const shown = useRef<unknown>(values)
  useEffect(() => {
    shown.current = values
    return () => {
      shown.current = undefined
    }
  }, [values])
  const isSending = useRef(false)
  const save = useSave(of)
  const trial = useRoomPreview(of)
  const offerUndo = useOfferUndo(of)
  const { user, account } = useSession()

  const id = base.item === undefined ? undefined : idOf(base.item)
  const changes = changesOf(base.values, values)
  const isDirty = id === undefined ? !isSame(base.values, values) : Object.keys(changes).length > 0
  const draft = useDraft({
    place: { person: user._id, accountRef: account.ref, collection: of.name, id },
    changes: isDirty ? changes : undefined,
  })

  function set<N extends keyof ValuesOf<C> & string>(name: N, value: ValuesOf<C>[N]) {
    setValues((current) => ({ ...current, [name]: value }))
    setErrors((current) => without(current, name))
    setFailure(undefined)
    setHolder(undefined)
    setTried(undefined)
  }

  function field<N extends keyof ValuesOf<C> & string>(name: N): FieldOf<ValuesOf<C>[N]> {
    return {
      name,
      label: fieldLabel(of.name, name),
      hint: fieldHint(of.name, name),
      value: values[name],
      error: errors[name],
      isRequired: name in of.fields.required,
      isNullable: isNullable(of, name),
      isFixed: id !== undefined && name in of.fields.fixed,
      onChange: (value) => set(name, value),
    }
  }

  type Sending = { version: number | undefined; isAccepted?: boolean }

  async function send(sending: Sending) {
    // A double press on Save saves once: the second press may come before the button is redrawn, or while the form closes.
    if (isSending.current || isSavedNow.current) return
    isSending.current = true
    await sendOnce(sending).finally(() => {
      isSending.current = false
    })
  }

  function wholeValues() {
    return id === undefined ? { ...values, ...complete?.(values) } : values
  }

  /** The fields of a new item, or those that have changed. */
  function toSend(version: number | undefined): Record<string, unknown> {
    return id === undefined ? { ...wholeValues() } : { ...changes, ...(version === undefined ? {} : { version }) }
  }

  /** Whether the schemas and the form accept the values; otherwise it shows the errors. */
  function isValid(fields: Record<string, unknown>) {
    const schema = id === undefined ? of.createSchema : of.patchSchema
    const wrong = { ...check?.(wholeValues()), ...checkFields(schema, fields) }
    setErrors(wrong)
    setFailure(undefined)
    return Object.keys(wrong).length === 0
  }

  /** `isAccepted`: the user has seen what has no room. */
  async function sendOnce({ version, isAccepted = false }: Sending) {
    const fields = toSend(version)
    if (!isValid(fields)) return
    try {
      const room = isAccepted ? 'shown' : await findRoom({ fields, version })
      if (room !== undefined) await saveNow(fields, room)
    } catch (error) {
      refuse(error)
    }
  }

  async function saveNow(fields: Record<string, unknown>, room: Room) {
    let entry: string | undefined
    const saved = await save.mutateAsync({ id, fields, onRecorded: (recorded) => (entry = recorded) })
    setSavedElsewhere(undefined)
    isSavedNow.current = true
    draft.drop()
    const name = nameOf(saved) ?? text('toast.it')
    const message = text(id === undefined ? 'toast.added' : 'toast.saved', { name })
    const unchecked = { tone: 'warning', message: text('room.unchecked', { message }) } as const
    offerUndo({ ...(room === 'unknown' ? unchecked : { message }), name, entry })
    onSaved?.(saved)
  }

  /** The room for the changes; undefined if they are not saved: the form shows what has none, or has changed. */
  async function findRoom({ fields, version }: Pick<Sending, 'version'> & { fields: Record<string, unknown> }) {
    if (!of.isPolicy) return 'enough'
    const preview = await trial.mutateAsync({ id, fields }).catch((error: unknown) => {
      // The change itself is refused. Otherwise only the check has failed, which prevents no change.
      if (error instanceof ApiError && isRefusalOfChange(error)) throw error
    })
    // The user has closed the form, or gone on with it: nothing is saved that they do not see.
    if (shown.current !== values) return setFailure(text('room.changed'))
    if (preview === undefined) return 'unknown'
    if (preview.noRoom.length === 0 && !preview.hasHiddenUnits) return preview.notExamined > 0 ? 'unknown' : 'enough'
    setTried({ preview, version })
  }

  function refuse(error: unknown) {
    if (isConflict(error)) {
      const entitySchema: C['entitySchema'] = of.entitySchema
      const current = z.safeParse(entitySchema, error.item)
      if (current.success) return setSavedElsewhere(() => current.data)
    }
    const atFields: Record<string, string> = {}
    if (error instanceof ApiError) {
      setHolder(error.holder)
      for (const [path, found] of Object.entries(error.fieldErrors)) {
        const name = fieldOfPath(path)
        if (name in values) atFields[name] ??= problemText(found)
      }
    }
    setErrors(atFields)
    setFailure(Object.keys(atFields).length > 0 ? undefined : messageOf(error))
  }

  return {
    of,
    item: base.item,
    id,
    values,
    field,
    set,
    isDirty,
    /** The fields to save, if they are valid. */
    toTry: () => {
      const fields = toSend(versionOf(base.item))
      return isValid(fields) ? fields : undefined
    },
    isSaving: save.isPending || trial.isPending,
    failure,
    /** The item that has a value which was refused as taken, if the user may see it. */
    holder,
    /** What has no room if the changes are saved; the user decides. */
    tried: tried?.preview,
    saveAnyway: () => send({ version: tried?.version, isAccepted: true }),
    /** Whether the form was saved just now: leaving it then loses nothing. */
    isSavedNow,
    /** The fields of the item that another user changed while it was edited here. */
    conflict: savedElsewhere && contested(savedElsewhere),
    /** Unsaved changes from an earlier time. */
    draft: draft.found,
    restoreDraft: () => {
      if (draft.found) setValues((current) => ({ ...current, ...fieldsOf(current, draft.found?.changes ?? {}) }))
      setTried(undefined)
      draft.settle()
    },
    dropDraft: draft.drop,
    submit: async () => {
      if (tried === undefined) await send({ version: versionOf(base.item) })
    },
    loadSaved: () => {
      if (savedElsewhere === undefined) return
      const fresh = formValues(of, savedElsewhere)
      setBase({ item: savedElsewhere, values: fresh })
      setValues(fresh)
      setErrors({})
      setTried(undefined)
      setSavedElsewhere(undefined)
    },
    saveEdited: () => send({ version: versionOf(savedElsewhere) }),
  }

  function contested(now: EntityOf<C>): ContestedField[] {
    const fresh = formValues(of, now)
    return Object.keys(base.values)
      .map((name) => ({ name, before: part(base.values, name), saved: part(fresh, name), edited: part(values, name) }))
      .filter(({ before, saved: other }) => !isSame(before, other))
      .map((field) => ({
        ...field,
        isInConflict: !isSame(field.before, field.edited) && !isSame(field.saved, field.edited),
      }))
  }
}

type Room = 'enough' | 'unknown' | 'shown'

function isRefusalOfChange({ status }: ApiError) {
  return status >= 400 && status < 500 && status !== 429
}

/** The values of a draft for fields that the form still has. */
function fieldsOf(values: object, changes: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(changes).filter(([name]) => name in values))
}

function isNullable(of: Collection, name: string) {
  const schema = settableFields(of)[name]
  return schema !== undefined && z.safeParse(schema, null).success
}
