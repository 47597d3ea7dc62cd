/** Where people turn to: the footer of the console and the legal pages lead there. */
export const contact = 'mailto:support@portcullis.example'
