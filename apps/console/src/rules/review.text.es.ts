import type { Translation } from '../text/catalogue.ts'
import type * as english from './review.text.ts'

export const review: Translation<typeof english.review> = {
  title: 'Revisión',
  again: 'Revisar de nuevo',
  nothing: 'No hay nada que corregir',
  nothingHint:
    'Todas las reglas se aplican, ninguna repite ni contradice a otra, y todos los usuarios con una credencial utilizable tienen acceso.',
  kinds: {
    denied: 'Contradicciones',
    never_applies: 'Reglas que nunca se aplican',
    same: 'Reglas iguales',
    contained: 'Solapamientos',
  },
  reasons: {
    who: 'Ninguno de sus usuarios pertenece actualmente a la cuenta.',
    where: 'No incluye ninguna puerta.',
    reader: 'Sus puertas no tienen lector en su dirección.',
    schedule: 'Su horario no tiene horas.',
    ended: 'Su límite de tiempo ha pasado.',
  },
  same: 'Tiene los mismos usuarios, puertas, dirección y horas que {{other}}.',
  contained: 'Todos sus usuarios, puertas y horas están incluidos en {{other}}.',
  denied: {
    all: '{{other}} deniega todo su acceso, a {{cardholders}}.',
    some: '{{other}} deniega parte de su acceso, a {{cardholders}}.',
  },
  cardholders_one: '{{count, number}} titular',
  cardholders_many: '{{count, number}} de titulares',
  cardholders_other: '{{count, number}} titulares',
  hiddenRule: 'Una regla que usted no puede ver',
  openSchedule: 'Abrir el horario',
  disable: 'Desactivar {{name}}',
  disableTitle: '¿Desactivar {{name}}?',
  disableConfirm: 'Desactivar',
  disabled: '{{name}} está desactivada',
  moreFindings_one: '{{count, number}} resultado más. Resuelva primero estos y revise de nuevo.',
  moreFindings_many: '{{count, number}} resultados más. Resuelva primero estos y revise de nuevo.',
  moreFindings_other: '{{count, number}} resultados más. Resuelva primero estos y revise de nuevo.',
  partial: 'Hay demasiadas reglas y usuarios para examinarlos todos. Resuelva primero estos y revise de nuevo.',
  users: 'Usuarios sin acceso',
  usersHint_one:
    '{{count, number}} usuario tiene una credencial utilizable, pero no puede abrir ninguna puerta en ocho semanas.',
  usersHint_many:
    '{{count, number}} usuarios tienen una credencial utilizable, pero no pueden abrir ninguna puerta en ocho semanas.',
  usersHint_other:
    '{{count, number}} usuarios tienen una credencial utilizable, pero no pueden abrir ninguna puerta en ocho semanas.',
  giveAccess: 'Dar acceso',
  giveAccessTo: 'Dar acceso a {{name}}',
  explore: 'Explorar',
  exploreOf: 'Explorar lo que {{name}} puede abrir',
}
