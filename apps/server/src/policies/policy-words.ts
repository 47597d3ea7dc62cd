import type { Language } from '@portcullis/contract/languages'
import type { PolicyName } from './policies.ts'

type PolicyWords = {
  /** The form of dates. */
  locale: string
  titles: Readonly<Record<PolicyName, string>>
  policies: string
  skip: string
  back: string
  updated: string
  question: string
  contact: string
}

/** The words around the legal texts, with `{{parameters}}` in them. The texts are in `{language}/{name}.html`. */
export const policyWords: Readonly<Record<Language, PolicyWords>> = {
  en: {
    locale: 'en-US',
    titles: {
      eula: 'End User License Agreement',
      privacy: 'Privacy Policy',
      terms: 'Terms and Conditions',
      disclaimer: 'Disclaimer',
    },
    policies: 'Policies',
    skip: 'Skip to content',
    back: 'Back to {{product}}',
    updated: 'Last updated {{date}}',
    question: 'Questions about this page?',
    contact: 'Contact us',
  },
  es: {
    locale: 'es',
    titles: {
      eula: 'Contrato de licencia de usuario final',
      privacy: 'Política de privacidad',
      terms: 'Términos y condiciones',
      disclaimer: 'Exención de responsabilidad',
    },
    policies: 'Textos legales',
    skip: 'Saltar al contenido',
    back: 'Volver a {{product}}',
    updated: 'Última actualización: {{date}}',
    question: '¿Tiene preguntas sobre esta página?',
    contact: 'Contacte con nosotros',
  },
}
