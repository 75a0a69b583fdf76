import fs from 'node:fs'
import { StartupError } from '../startup-error.ts'

/** The content of the file that a variable names; undefined: it names none, or an empty one. Throws StartupError. */
export function readNamedFile(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const file = env[name]?.trim()
  if (!file) return undefined
  try {
    const content = fs.readFileSync(file, 'utf8')
    return content.trim() === '' ? undefined : content
  } catch (cause) {
    throw new StartupError(
      `${name}: ${file} cannot be read: ${(cause as Error).message}`,
      'Check the path, and that the user that runs Pulse may read the file.',
      { cause },
    )
  }
}

/** The same for a file that has to have content if it is named. */
export function readNeededFile(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const content = readNamedFile(env, name)
  if (content !== undefined || !env[name]?.trim()) return content
  throw new StartupError(`The file that ${name} names is empty.`, `Fill it, or remove ${name}.`)
}
