/** Saves a file with the browser's downloads. */
export function saveFile(file: Blob, fileName: string) {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // By then the browser has read the address.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
