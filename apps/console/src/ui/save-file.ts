/** Hands a file to the browser, which keeps it where it keeps downloads. */
export function saveFile(file: Blob, fileName: string) {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The browser has taken the address by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
