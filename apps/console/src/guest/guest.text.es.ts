import type { Translation } from '../text/catalogue.ts'
import type * as english from './guest.text.ts'

export const guest: Translation<typeof english.guest> = {
  title: 'Su acceso',
  hello: 'Hola, {{name}}',
  invited: '{{name}}, de {{account}}, le ha dado acceso.',
  hours: '{{hours}} (hora de {{place}})',
  states: {
    upcoming: 'Aún no está activo',
    active: 'Activo ahora',
    ended: 'Este acceso ha terminado',
    withdrawn: 'Este acceso se ha retirado',
  },
  askAgain: 'Este enlace no abre ninguna puerta. Pida otro a la persona que le invitó.',
  doors: 'Puertas',
  noDoors: 'Estas puertas ya no existen. Consulte a la persona que le invitó.',
  open: 'Abrir',
  openDoor: 'Abrir {{door}}',
  inFront: 'Pulse Abrir cuando esté delante de la puerta.',
  tooMany: 'Demasiados intentos. Espere un momento e inténtelo de nuevo.',
  status: {
    requested: 'Se solicita que la puerta se abra…',
    sent: 'Enviado a la puerta. Se espera su respuesta…',
    confirmed: 'La puerta está desbloqueada unos segundos. Ábrala ahora.',
    not_delivered:
      'No se puede contactar con esta puerta ahora. Inténtelo más tarde o consulte a la persona que le invitó.',
    expired: 'La puerta no respondió a tiempo. Inténtelo de nuevo.',
    refused: 'La puerta no se abrió. Inténtelo de nuevo o consulte a la persona que le invitó.',
  },
  refused: {
    door_locked_down: 'Esta puerta está en bloqueo total.',
    door_blocked: 'Esta puerta está bloqueada.',
    door_disabled: 'Esta puerta está desactivada.',
    unit_out_of_service: 'Esta puerta está desactivada.',
    denied_by_rule: 'Ahora no tiene acceso a esta puerta.',
    outside_schedule: 'Ahora no tiene acceso a esta puerta.',
    holiday_closed: 'Esta puerta está cerrada hoy.',
    adhoc_not_started: 'Su acceso aún no ha comenzado.',
    adhoc_ended: 'Su acceso ha terminado.',
    interlock: 'Otra puerta de este paso está abierta. Ciérrela primero e inténtelo de nuevo.',
    interlock_unavailable: 'Esta puerta no puede comprobar ahora las demás puertas de su paso. Inténtelo más tarde.',
    pin_required: 'Esta puerta también necesita un PIN, así que solo se abre en su lector.',
    second_person_required: 'Esta puerta necesita 2 personas, así que solo se abre en su lector.',
    remote_approval_required:
      'Un operador debe aprobar cada acceso en esta puerta. Consulte a la persona que le invitó.',
    needs_reader: 'Esta puerta comprueba quién está dentro, así que solo se abre en su lector.',
    other: 'No tiene acceso a esta puerta.',
  },
}
