import type { Translation } from '../text/catalogue.ts'
import type * as english from './mfa.text.ts'

export const mfa: Translation<typeof english.mfa> = {
  signInTitle: 'Autenticación en dos pasos',
  setUpTitle: 'Configure la autenticación en dos pasos',
  forced: 'Una cuenta a la que pertenece, o esta instalación, exige la autenticación en dos pasos.',
  signInHint: 'Introduzca el código de 6 cifras que muestra ahora su aplicación de autenticación.',
  code: 'Código de verificación',
  invalidCode: 'Introduzca un código válido.',
  enrolFailed: 'Código no válido. No se pudo configurar la autenticación en dos pasos.',
  signIn: 'Iniciar sesión',
  useRecoveryCode: 'Usar un código de recuperación',
  useApp: 'Usar un código de la aplicación',
  recoveryHint:
    'Introduzca uno de los códigos de recuperación que guardó al configurar la autenticación en dos pasos. Cada uno funciona una vez.',
  recoveryCode: 'Código de recuperación',
  invalidRecoveryCode: 'Introduzca 12 letras y cifras, como k7m2-x9qd-4rwt.',
  downloadTitle: 'Descargue una aplicación de autenticación',
  downloadHint:
    'Use cualquier aplicación de códigos de un solo uso, como Google Authenticator, Microsoft Authenticator o FreeOTP. Si ya tiene una en su teléfono, continúe.',
  scanTitle: 'Escanee el código QR',
  scanHint: 'En la aplicación, añada una cuenta y escanee el código.',
  showQr: 'Mostrar QR',
  qrAlt: 'Código QR de la clave',
  manualKey: 'O introduzca esta clave a mano',
  copyKey: 'Copiar la clave',
  enterTitle: 'Introduzca el código de verificación',
  enterHint: 'La aplicación muestra un código de 6 cifras, uno nuevo cada 30 segundos.',
  verify: 'Verificar',
  setUpComplete: 'Autenticación en dos pasos configurada',
  setUpFailed: 'No se pudo configurar la autenticación en dos pasos',
  recoveryTitle: 'Guarde sus códigos de recuperación',
  recoveryWhy:
    'Cada código permite iniciar sesión una vez sin su teléfono. Solo se muestran ahora: guárdelos donde solo usted pueda encontrarlos.',
  recoveryList: 'Códigos de recuperación',
  copyCodes: 'Copiar',
  downloadCodes: 'Descargar',
  recoveryDone: 'Los he guardado',
  recoveryFileName: 'codigos-de-recuperacion.txt',
  recoveryFileHead: 'Códigos de recuperación de {{product}}. Cada uno funciona una vez.',
}
