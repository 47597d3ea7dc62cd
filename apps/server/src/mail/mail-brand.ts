/** How mails look and what they call the product. */
export type MailBrand = { product: string; colour: string }

export const mailBrand: MailBrand = { product: 'Portcullis', colour: '#2f4fb5' }
