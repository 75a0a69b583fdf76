import fs from 'node:fs'
import { StartupError } from '../startup-error.ts'

/** The content of the file that a variable names; undefined: it names none. Throws StartupError. */
export function readNamedFile(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const file = env[name]?.trim()
  if (!file) return undefined
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (cause) {
    throw new StartupError(
      `${name}: ${file} cannot be read: ${(cause as Error).message}`,
      'Check the path, and that the user that runs Pulse may read the file.',
      { cause },
    )
  }
}
