/** What browsers say when a file of the program is not there any more, as after an update of the server. */
const missing =
  /^(failed to fetch dynamically imported module|error loading dynamically imported module|importing a module script failed|unable to preload css)/i

const key = 'reloadedForCode'

/**
 * Loads the page anew for such an error, once until code comes again: not every browser names the file. False: it is
 * another error, or that did not help, or the server is not there, which would leave nothing of the program.
 */
export async function isReloadedFor({ message }: Error, answers: () => Promise<boolean>): Promise<boolean> {
  if (!missing.test(message) || !(await answers())) return false
  try {
    if (sessionStorage.getItem(key) === message) return false
    sessionStorage.setItem(key, message)
  } catch {
    // without a storage nobody knows whether it was tried
    return false
  }
  window.location.reload()
  return true
}

/** Code has come: the next time that it is missing is another update. */
export function codeHasCome(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // then nothing was kept either
  }
}
