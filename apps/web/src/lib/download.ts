/** Offers a text as a file. */
export function downloadText(name: string, text: string, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // the browser reads the URL after this task
  setTimeout(() => URL.revokeObjectURL(url), 1_000)
}
