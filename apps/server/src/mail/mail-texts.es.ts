import type { MailTexts } from './mail-texts.ts'

const notMe =
  'Si no ha sido usted, restablezca su contraseña de inmediato con «He olvidado mi contraseña» en la página de inicio de sesión y avise a su administrador.'
const noHarm = 'Si no lo ha solicitado usted, puede ignorar este correo.'
const withinADay = 'El enlace funciona una sola vez, durante un día.'

export const spanishMails: MailTexts = {
  greeting: 'Hola, {{name}}:',
  reset: {
    subject: 'Restablezca su contraseña de {{product}}',
    sentence: 'Hemos recibido una solicitud para restablecer la contraseña de {{email}}. Elija una nueva aquí:',
    button: 'Elegir una contraseña nueva',
    afterwards: [
      'El enlace funciona una sola vez, durante una hora. Si no lo ha solicitado usted, puede ignorar este correo: su contraseña no cambia.',
    ],
  },
  invitation: {
    subject: 'Su acceso a {{product}}',
    sentence:
      '{{account}} le ha dado acceso a {{product}}. Inicie sesión con {{email}} y una contraseña que puede elegir aquí:',
    button: 'Elegir su contraseña',
    afterwards: [
      'El enlace funciona una sola vez, durante 7 días. Después, pida otro con «He olvidado mi contraseña» en la página de inicio de sesión.',
    ],
  },
  membership: {
    subject: 'Invitación a otra cuenta',
    sentence: '{{invitedBy}} le invita a {{account}} en {{product}}. Acepte o rechace aquí:',
    button: 'Responder a la invitación',
    afterwards: [
      'El enlace funciona durante 7 días. Después, inicie sesión y abra «Mi perfil». Si no conoce esta cuenta, rechace la invitación o ignore este correo: no cambia nada para usted.',
    ],
  },
  verification: {
    subject: 'Confirme su dirección de correo',
    sentence: 'Por favor, confirme su dirección de correo {{email}}:',
    button: 'Confirmar su correo',
    afterwards: [withinADay, noHarm],
  },
  email_change_old: {
    subject: 'Confirme el cambio de su dirección de correo',
    sentence:
      'Ha solicitado iniciar sesión con {{newEmail}} en lugar de {{email}}. Confírmelo aquí y también con el correo enviado a su nueva dirección:',
    button: 'Confirmar el cambio',
    afterwards: [withinADay, `Si no lo ha solicitado usted, no lo confirme. ${notMe}`],
  },
  email_change_new: {
    subject: 'Confirme su nueva dirección de correo',
    sentence:
      'Hemos recibido una solicitud para iniciar sesión en {{product}} con {{newEmail}}. Si ha sido usted, confírmelo aquí y también con el correo enviado a su dirección anterior:',
    button: 'Confirmar su nuevo correo',
    afterwards: [withinADay, noHarm],
  },
  password_changed: {
    subject: 'Se ha cambiado su contraseña de {{product}}',
    sentence: 'Se ha cambiado su contraseña. Se ha cerrado su sesión en todos los demás dispositivos.',
    afterwards: [notMe],
  },
  email_changed: {
    subject: 'Se ha cambiado su dirección de correo de {{product}}',
    sentence: 'Ahora inicia sesión con {{newEmail}}.',
    afterwards: [
      'Si no ha sido usted, avise de inmediato a su administrador. La dirección anterior ya no puede restablecer la contraseña.',
    ],
  },
  second_factor_on: {
    subject: 'Se ha configurado la autenticación en dos pasos',
    sentence: 'Ahora necesita un código de su aplicación de autenticación para iniciar sesión.',
    afterwards: [notMe],
  },
  second_factor_off: {
    subject: 'Se ha desactivado la autenticación en dos pasos',
    sentence: 'Ya no necesita un código para iniciar sesión.',
    afterwards: [notMe],
  },
  second_factor_reset: {
    subject: 'Se ha restablecido la autenticación en dos pasos',
    sentence: 'Un administrador ha quitado su aplicación de autenticación. Puede configurar otra cuando inicie sesión.',
    afterwards: [
      'Si no lo ha pedido usted, avise de inmediato a su administrador y restablezca su contraseña con «He olvidado mi contraseña» en la página de inicio de sesión.',
    ],
  },
  recovery_codes_renewed: {
    subject: 'Se han sustituido sus códigos de recuperación',
    sentence: 'Tiene nuevos códigos de recuperación. Los códigos anteriores ya no funcionan.',
    afterwards: [notMe],
  },
  recovery_code_used: {
    subject: 'Se ha usado uno de sus códigos de recuperación',
    sentence:
      'Se ha usado uno de sus códigos de recuperación en lugar de un código de su aplicación de autenticación. Ese código ya no funciona.',
    afterwards: [notMe],
  },
  codes_locked: {
    subject: 'Demasiados códigos incorrectos',
    sentence:
      'Se introdujo su contraseña correcta y después muchos códigos incorrectos. Durante una hora como máximo, solo puede iniciar sesión con un código de recuperación.',
    afterwards: [notMe],
  },
  guest_link: {
    subject: 'Su enlace para abrir puertas',
    sentence:
      '{{account}} le da acceso a {{doors}} desde el {{from}} hasta el {{until}} ({{timeZone}}). Abra las puertas aquí cuando esté delante de ellas:',
    button: 'Abrir las puertas',
    afterwards: ['No comparta este enlace: abre las puertas en su nombre.'],
  },
  guest_code: {
    subject: 'Su código para las puertas',
    sentence:
      '{{account}} le da acceso a {{doors}} desde el {{from}} hasta el {{until}} ({{timeZone}}). Introduzca este código en el teclado de la puerta: {{code}}',
    afterwards: ['No comparta este código: abre las puertas en su nombre.'],
  },
}
