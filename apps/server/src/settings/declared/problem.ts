import type * as z from 'zod/mini'

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
    return new DeclaredProblem(pathOf([...issue.path, issue.keys[0]!]), 'There is no such key.')
  }
  return new DeclaredProblem(pathOf(issue.path), `${issue.message}.`.replace(/\.\.$/, '.'))
}
