import { inspect } from 'node:util'

/** A bug of the lab: shown to its user, never to its clients. */
export function reportFailure(what: string, error: unknown): void {
  process.stderr.write(`lab: ${what} failed: ${inspect(error)}\n`)
}
