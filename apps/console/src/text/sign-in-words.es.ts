import { brand } from '../theme/brand.ts'
import type { Translation } from './catalogue.ts'
import type * as english from './sign-in-words.ts'

/** The words of the sign-in pages in Spanish. */
export const signInWords: Translation<typeof english.signInWords> = {
  product: brand.product,
  action: {
    add: 'Añadir',
    cancel: 'Cancelar',
    clear: 'Vaciar',
    close: 'Cerrar',
    copied: 'Copiado',
    copy: 'Copiar',
    delete: 'Eliminar',
    done: 'Listo',
    retry: 'Reintentar',
    save: 'Guardar',
  },
  loading: 'Cargando',
  login: {
    title: 'Iniciar sesión',
    heading: `Inicie sesión en ${brand.product}`,
    email: 'Correo electrónico',
    password: 'Contraseña',
    signIn: 'Iniciar sesión',
    showPassword: 'Mostrar contraseña',
    hint: 'Introduzca su correo electrónico y su contraseña.',
    emailHint: 'Introduzca un correo electrónico válido.',
    forgotPassword: 'He olvidado mi contraseña',
    cloudUnavailable:
      'Esta instalación usa un proveedor de identidad en la nube, que esta versión no admite. Contacte con su administrador.',
    configurationFailed: 'No se pudieron cargar los ajustes de inicio de sesión.',
  },
  policies: {
    eula: 'Contrato de licencia',
    privacy: 'Política de privacidad',
    terms: 'Términos y condiciones',
    disclaimer: 'Exención de responsabilidad',
  },
  cookies: {
    title: 'Cookies',
    about:
      'Las cookies mantienen su sesión abierta y su cuenta segura. Si está de acuerdo, este navegador también recuerda sus selecciones recientes.',
    essential: 'Solo las esenciales',
    all: 'Aceptar todas',
  },
  passwordReset: {
    title: 'Restablecer contraseña',
    heading: 'Restablezca su contraseña',
    hint: 'Introduzca su correo electrónico y le enviaremos un enlace para elegir una contraseña nueva.',
    send: 'Enviar enlace',
    sent: 'Se ha enviado un enlace a {{email}}. Revise su correo y use ese enlace para restablecer su contraseña.',
    sentAgain: 'Se ha solicitado un enlace nuevo. Solo funciona el más reciente.',
    resend: 'Reenviar enlace',
    back: 'Volver al inicio de sesión',
    newPassword: 'Contraseña nueva',
    confirmPassword: 'Confirmar contraseña',
    tooShort: 'Al menos {{least}} caracteres.',
    tooLong: 'Como máximo {{most, number}} caracteres.',
    different: 'Las contraseñas no coinciden.',
    reset: 'Restablecer contraseña',
    done: 'Se ha restablecido su contraseña. Se ha cerrado su sesión en todas partes.',
    login: 'Iniciar sesión',
  },
  error: {
    unreachable: 'No se pudo conectar con el servidor. Compruebe su conexión e inténtelo de nuevo.',
    unreadable: 'No se pudo leer la respuesta del servidor. Inténtelo de nuevo.',
    unknown: 'Algo ha fallado. Inténtelo de nuevo.',
    load: 'No se pudo cargar',
    reference: 'Referencia para soporte: {{requestId}}',
  },
}
