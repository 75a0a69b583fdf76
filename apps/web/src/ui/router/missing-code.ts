/** What browsers say when a file of the program is not there any more, as after an update of the server. */
const missing =
  /^(failed to fetch dynamically imported module|error loading dynamically imported module|importing a module script failed|unable to preload css)/i

const key = 'reloadedForCode'

/** Loads the page anew for such an error, once for each file; false: it is another error, or that did not help. */
export function isReloadedFor({ message }: Error): boolean {
  try {
    if (!missing.test(message) || sessionStorage.getItem(key) === message) return false
    sessionStorage.setItem(key, message)
  } catch {
    // without a storage nobody knows whether it was tried
    return false
  }
  window.location.reload()
  return true
}
