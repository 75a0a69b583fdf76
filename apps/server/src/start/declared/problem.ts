import type * as z from 'zod/mini'
import { StartupError } from '../../startup-error.ts'

/** Why the file cannot be used, and where in it. Quotes no value, for it may be a secret. */
export class DeclaredProblem extends Error {
  constructor(at: string, message: string) {
    super(at === '' ? message : `${at}: ${message}`)
  }
}

/** `nodes[1].host` */
export function pathOf(path: readonly PropertyKey[]): string {
  let text = ''
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`
    else if (/^[A-Za-z_]\w*$/.test(String(key))) text += text === '' ? String(key) : `.${String(key)}`
    else text += `[${JSON.stringify(String(key).slice(0, 80))}]`
  }
  return text
}

export function problemOf({ issues }: Pick<z.core.$ZodError, 'issues'>): DeclaredProblem {
  const issue = issues[0]!
  if (issue.code === 'unrecognized_keys') {
    return new DeclaredProblem(pathOf([...issue.path, issue.keys[0]!]), 'Unknown key.')
  }
  return new DeclaredProblem(pathOf(issue.path), `${issue.message}.`.replace(/\.\.$/, '.'))
}

/** Says in which file the problem is. */
export function inFileError(file: string, error: unknown): unknown {
  if (!(error instanceof DeclaredProblem)) return error
  // Without a cause: it might quote what stands in the file.
  return new StartupError(`${file}: ${error.message}`, 'Correct the file and start Pulse again.')
}
