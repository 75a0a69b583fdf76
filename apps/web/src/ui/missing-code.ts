/** What browsers say when a file of the program is not there any more, as after an update of the server. */
const missing =
  /^(failed to fetch dynamically imported module|error loading dynamically imported module|importing a module script failed|unable to preload css)/i

const key = 'reloadedForCode'

/** By then the reload has begun, unless the browser asked first and the user stayed. */
const reloadMs = 2_000

/** The server has other files now: only a reload brings the code. */
export class ProgramUpdated extends Error {
  constructor(cause: Error) {
    super('Pulse was updated. Reload the page to continue.', { cause })
  }
}

/**
 * Says why code did not come. While the server answers, an update took the file away: the page reloads, once until code
 * comes again, because not every browser names the file. Unsaved edits keep it from reloading. Without a server a reload
 * would leave nothing of the program.
 */
export async function explainMissing(error: Error, answers: () => Promise<boolean>): Promise<Error> {
  if (!missing.test(error.message)) return error
  if (!(await answers())) return new Error('Pulse does not answer', { cause: error })
  if (unsavedWork.exists()) return new ProgramUpdated(error)
  if (!isFirstReload(error.message)) return error
  window.location.reload()
  await new Promise((resolve) => setTimeout(resolve, reloadMs))
  return new ProgramUpdated(error)
}

function isFirstReload(message: string): boolean {
  try {
    if (sessionStorage.getItem(key) === message) return false
    sessionStorage.setItem(key, message)
    return true
  } catch {
    // without storage the program cannot know whether it has tried
    return false
  }
}

/** Code has come: the next time that it is missing is another update. */
export function codeHasCome(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // then nothing was stored either
  }
}

const dirty = new Set<object>()

/** Edits that a reload would lose. */
export const unsavedWork = {
  exists: () => dirty.size > 0,
  /** Counts until the returned function is called. */
  add(): () => void {
    const one = {}
    dirty.add(one)
    return () => void dirty.delete(one)
  },
}
