/** The contact address linked from the footer of the console and from the legal pages. */
export const contact = 'mailto:support@portcullis.example'
