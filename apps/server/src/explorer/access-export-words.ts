import type { OpeningState } from '@portcullis/contract/calls/explorer'
import type { Language } from '@portcullis/contract/languages'
import { reasonWords } from '@portcullis/contract/reason-words'
import { spanishReasonWords } from '@portcullis/contract/reason-words.es'
import type { ReasonCode } from '@portcullis/domain/decision/reasons'
import type { Direction } from '@portcullis/domain/policy'

type AccessExportWords = {
  /** The form of the names of days. */
  locale: string
  /** The starts of the files' names: letters, digits and hyphens of ASCII only. */
  files: { users: string; doors: string }
  titles: Readonly<Record<'user' | 'door' | 'site' | 'state' | 'reason' | 'rules' | 'hours', string>>
  from: Readonly<Record<Direction, string>>
  until: Readonly<Record<Direction, string>>
  states: Readonly<Record<OpeningState, string>>
  reasons: Readonly<Record<ReasonCode, string>>
  noRoom: string
  ruleAbove: string
  deny: string
  always: string
  never: string
  temporary: string
}

/** The words of an exported access list, with `{{parameters}}` in them. */
export const accessExportWords: Readonly<Record<Language, AccessExportWords>> = {
  en: {
    locale: 'en-GB',
    files: { users: 'users-of-door', doors: 'doors-of-user' },
    titles: {
      user: 'User',
      door: 'Door',
      site: 'Site',
      state: 'Can open',
      reason: 'Refused now',
      rules: 'Rules',
      hours: 'Hours',
    },
    from: { entry: 'Going in from', exit: 'Going out from' },
    until: { entry: 'Going in until', exit: 'Going out until' },
    states: { now: 'now', later: 'later', never: 'no' },
    reasons: reasonWords,
    noRoom: 'No room on the controller',
    ruleAbove: 'a rule of an account above',
    deny: '{{rule}} (deny)',
    always: 'always',
    never: 'never',
    temporary: '{{hours}}, from {{from}} until {{until}}',
  },
  es: {
    locale: 'es',
    files: { users: 'usuarios-de-puerta', doors: 'puertas-de-usuario' },
    titles: {
      user: 'Usuario',
      door: 'Puerta',
      site: 'Sitio',
      state: 'Puede abrir',
      reason: 'Denegado ahora',
      rules: 'Reglas',
      hours: 'Horas',
    },
    from: { entry: 'Al entrar, desde', exit: 'Al salir, desde' },
    until: { entry: 'Al entrar, hasta', exit: 'Al salir, hasta' },
    states: { now: 'ahora', later: 'más tarde', never: 'no' },
    reasons: spanishReasonWords,
    noRoom: 'Sin espacio en el controlador',
    ruleAbove: 'una regla de una cuenta superior',
    deny: '{{rule}} (deniega)',
    always: 'siempre',
    never: 'nunca',
    temporary: '{{hours}}, desde {{from}} hasta {{until}}',
  },
}
