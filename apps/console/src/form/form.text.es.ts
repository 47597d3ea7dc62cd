import type { Translation } from '../text/catalogue.ts'
import type * as english from './form.text.ts'

export const form: Translation<typeof english.form> = {
  required: 'Este campo es obligatorio.',
  unsaved: '¿Salir sin guardar?',
  unsavedHint: 'Sus cambios no se han guardado.',
  keepEditing: 'Seguir editando',
  discard: 'Descartar los cambios',
  searchToChoose: 'Escriba para buscar',
  noMatches: 'Sin resultados',
  recent: 'Recientes',
  all: 'Todos',
  none: 'Ninguno',
  more_other: '{{count, number}} más',
  andMore_other: 'y {{count, number}} más',
  deleteTitle: '¿Eliminar {{name}}?',
  deleteHint: 'Puede deshacerlo después.',
  removed: 'eliminado',
  hidden: 'sin acceso',
}

export const conflict: Translation<typeof english.conflict> = {
  title_one: 'Otro usuario cambió un campo mientras usted editaba',
  title_other: 'Otro usuario cambió {{count, number}} campos mientras usted editaba',
  field: 'Campo',
  before: 'Antes',
  theirs: 'Ahora',
  mine: 'Su cambio',
  unchanged: 'sin cambios',
  mineToo:
    'Ambos han cambiado los campos marcados. Al guardar se sustituyen los valores del otro usuario en esos campos y se conservan sus demás cambios.',
  mineApart: 'Han cambiado campos distintos. Al guardar se conservan todos los cambios.',
  loadTheirs: 'Descartar mis cambios',
  saveMine: 'Guardar mis cambios',
  saveBoth: 'Guardar ambos',
}

export const draft: Translation<typeof english.draft> = {
  found: 'Tiene cambios sin guardar de {{at}}.',
  takeUp: 'Restaurar el borrador',
  drop: 'Descartar el borrador',
}

export const room: Translation<typeof english.room> = {
  title: 'No hay espacio para todo',
  unit: '{{name}} tiene espacio para {{most}} y necesitaría {{needs}}.',
  atDoors: 'En estas puertas: {{names}}.',
  moreUnits_one: 'Tampoco cabe todo en {{count, number}} controlador más.',
  moreUnits_other: 'Tampoco cabe todo en {{count, number}} controladores más.',
  hiddenUnits: 'Tampoco cabe todo en controladores que usted no puede ver.',
  cardholders_one: 'En sus puertas se denegarían credenciales de {{count, number}} titular más.',
  cardholders_other: 'En sus puertas se denegarían credenciales de {{count, number}} titulares más.',
  named: 'Entre ellos: {{names}}.',
  doors: 'Estas puertas no funcionarían: {{names}}.',
  schedules:
    'Estos horarios se omitirían: las reglas de permiso con ellos no darían acceso y las de denegación regirían siempre: {{names}}.',
  notExamined_one: 'No se ha comprobado {{count, number}} controlador más que está casi lleno.',
  notExamined_other: 'No se han comprobado {{count, number}} controladores más que están casi llenos.',
  credentials_one: '{{count, number}} credencial',
  credentials_other: '{{count, number}} credenciales',
  doorCount_one: '{{count, number}} puerta',
  doorCount_other: '{{count, number}} puertas',
  scheduleCount_one: '{{count, number}} horario',
  scheduleCount_other: '{{count, number}} horarios',
  unchecked: '{{message}}. No se ha comprobado el espacio en los controladores.',
  changed: 'El formulario ha cambiado mientras se comprobaba y no se ha guardado. Guárdelo de nuevo.',
  saveAnyway: 'Guardar igualmente',
}

export const effects: Translation<typeof english.effects> = {
  show: 'Mostrar quién gana y pierde acceso',
  title: 'Efectos de este cambio',
  none: 'Nadie gana ni pierde acceso en las próximas ocho semanas.',
  gained_one: '{{count, number}} titular gana acceso en {{doors}}',
  gained_other: '{{count, number}} titulares ganan acceso en {{doors}}',
  lost_one: '{{count, number}} titular pierde acceso en {{doors}}',
  lost_other: '{{count, number}} titulares pierden acceso en {{doors}}',
  losing: 'Pierden acceso',
  gaining: 'Ganan acceso',
  doors_one: '{{count, number}} puerta',
  doors_other: '{{count, number}} puertas',
  hidden_one: '{{count, number}} titular que usted no puede ver',
  hidden_other: '{{count, number}} titulares que usted no puede ver',
  always: 'A todas horas',
  noRoom:
    'Es posible que otros titulares también pierdan acceso porque sus credenciales ya no caben en un controlador. No se cuentan aquí.',
  tooMany: 'Afecta a demasiados titulares y puertas para enumerar quién gana y pierde acceso.',
}
