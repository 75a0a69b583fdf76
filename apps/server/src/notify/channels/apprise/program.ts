import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'

/** Where packages and people put it. The PATH of the process is not asked. */
const folders = ['/usr/local/bin', '/usr/bin', '/opt/apprise/bin', '/opt/venv/bin']

/** What is run, by its whole path: named by the environment of the server, or found; never by a caller. */
export function findApprise(configured: string | undefined): string | undefined {
  const places = configured ? [configured] : folders.map((folder) => path.join(folder, 'apprise'))
  return places.find(isProgram)
}

function isProgram(file: string): boolean {
  if (!path.isAbsolute(file)) return false
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false // not there, or not to be run
  }
}
