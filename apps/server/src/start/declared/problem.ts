import type * as z from 'zod/mini'
import { StartupError } from '../../startup-error.ts'

/** The problem of the file and its place. Quotes no value, because it may be a secret. */
export class DeclaredProblem extends Error {
  constructor(at: string, message: string) {
    super(at === '' ? message : `${at}: ${message}`)
  }
}

/** For example `nodes[1].host`. */
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

/** Adds the file name to the problem. */
export function inFileError(file: string, error: unknown): unknown {
  if (!(error instanceof DeclaredProblem)) return error
  // No cause is attached, because it might quote the file.
  return new StartupError(`${file}: ${error.message}`, 'Correct the file and start Pulse again.')
}
