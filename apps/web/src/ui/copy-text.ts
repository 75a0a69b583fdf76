/** What shows a text that is to be copied. */
export type CopiedField = HTMLInputElement | HTMLTextAreaElement

/**
 * Puts a text on the clipboard; false when the browser does not allow it. A page on plain http has no clipboard:
 * there the field that shows the text is selected and copied the old way.
 */
export async function copyText(text: string, field: CopiedField | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(field)
  }
}

function copySelected(field: CopiedField | null): boolean {
  if (!field) return false
  field.focus()
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  }
}
