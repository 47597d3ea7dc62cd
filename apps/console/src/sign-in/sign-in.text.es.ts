import type { Translation } from '../text/catalogue.ts'
import type * as english from './sign-in.text.ts'

export const lock: Translation<typeof english.lock> = {
  title: 'Pantalla bloqueada',
  heading: 'Bloqueada',
  loggedInAs: 'SESIÓN INICIADA COMO',
  timedOut: 'Su sesión ha caducado. Introduzca su contraseña para continuar.',
  submit: 'Desbloquear',
  different: 'Iniciar sesión con otro usuario',
}

export const emailConfirm: Translation<typeof english.emailConfirm> = {
  title: 'Confirmar correo',
  heading: 'Confirme su correo',
  verifying: 'Se está confirmando su dirección de correo.',
  verified: 'Su dirección de correo se ha confirmado correctamente.',
  waits: 'Esta dirección está confirmada. Su correo cambia cuando se confirme también la otra dirección.',
  login: 'Iniciar sesión',
  failedHint: 'Inicie sesión para solicitar un enlace nuevo.',
}

export const invitation: Translation<typeof english.invitation> = {
  title: 'Invitación',
  from: '{{name}} le invita a esta cuenta. Su rol: {{role}}.',
  accept: 'Aceptar',
  decline: 'Rechazar',
  accepted: 'Ahora tiene acceso a esta cuenta. Inicie sesión para abrirla.',
  declined: 'Ha rechazado la invitación. No cambia nada para usted.',
}

export const emailRequest: Translation<typeof english.emailRequest> = {
  title: 'Verificar correo',
  heading: 'Confirme su correo',
  hint: 'Verifique su correo con el enlace enviado a {{email}}.',
  resend: 'Reenviar correo',
  sentAgain: 'Se ha enviado un correo nuevo. Solo funciona el enlace más reciente.',
  different: 'Iniciar sesión con otro usuario',
}

export const changePassword: Translation<typeof english.changePassword> = {
  title: 'Cambiar contraseña',
}

export const strength: Translation<typeof english.strength> = {
  label: 'Seguridad de la contraseña',
  checking: 'Comprobando la contraseña',
  score0: 'Muy fácil de adivinar',
  score1: 'Fácil de adivinar',
  score2: 'Aún demasiado fácil de adivinar',
  score3: 'Difícil de adivinar',
  score4: 'Muy difícil de adivinar',
  hint: 'Varias palabras sin relación son fáciles de recordar y difíciles de adivinar.',
}

export const updatedPolicies: Translation<typeof english.updatedPolicies> = {
  title: 'Políticas actualizadas',
  hint: 'Nuestras políticas han cambiado. Léalas y acéptelas para continuar.',
  updated: 'Actualizada el {{date}}',
  opens: 'se abre en una pestaña nueva',
  accept: 'Aceptar',
}
