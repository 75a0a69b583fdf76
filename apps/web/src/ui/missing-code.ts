/** Browser errors for a missing program file, for example after an update of the server. */
const missing =
  /^(failed to fetch dynamically imported module|error loading dynamically imported module|importing a module script failed|unable to preload css)/i

const key = 'reloadedForCode'

/** The reload begins within this time, unless the browser asks first and the user stays. */
const reloadMs = 2_000

/** Only a reload loads the code. */
export class ReloadNeeded extends Error {
  constructor(isFileThere: boolean, cause: Error) {
    const why = isFileThere ? 'Your browser does not load this part again.' : 'Pulse was updated.'
    super(`${why} Reload the page to continue.`, { cause })
  }
}

/**
 * Explains why code failed to load. While the server answers, an update removed the file, or the browser remembers
 * that it failed to load before (HTML standard, Chromium 150), so the page reloads. Because not every browser names the file, it does so only once until code loads again. Unsaved
 * edits prevent the reload. Without a server a reload would leave an empty page.
 */
export async function explainMissing(error: Error, answers: () => Promise<boolean>): Promise<Error> {
  if (!missing.test(error.message)) return error
  if (!(await answers())) return new Error('Pulse does not answer', { cause: error })
  if (unsavedWork.exists()) return new ReloadNeeded(await isFileThere(error.message), error)
  if (!isFirstReload(error.message)) return error
  window.location.reload()
  await new Promise((resolve) => setTimeout(resolve, reloadMs))
  return new ReloadNeeded(await isFileThere(error.message), error)
}

/** False if the browser does not name the file. Never rejects. */
async function isFileThere(message: string): Promise<boolean> {
  const [address] = /https?:\/\/\S+/.exec(message) ?? []
  if (address === undefined) return false
  const signal = AbortSignal.timeout(reloadMs)
  return fetch(address, { method: 'HEAD', cache: 'no-store', signal }).then(
    ({ ok }) => ok,
    () => false,
  )
}

function isFirstReload(message: string): boolean {
  try {
    if (sessionStorage.getItem(key) === message) return false
    sessionStorage.setItem(key, message)
    return true
  } catch {
    // without storage the program cannot know whether it has tried already
    return false
  }
}

/** Code loaded, so the next missing file means another update. */
export function noteCodeLoaded(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // without storage there is nothing to remove
  }
}

const dirty = new Set<object>()

/** Edits that a reload would discard. */
export const unsavedWork = {
  exists: () => dirty.size > 0,
  /** Counts until the returned function is called. */
  add(): () => void {
    const one = {}
    dirty.add(one)
    return () => void dirty.delete(one)
  },
}
