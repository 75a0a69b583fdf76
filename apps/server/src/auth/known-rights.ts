import { AppError } from '../app-error.ts'
import type { AccessEdges } from './access.ts'

/** Rights of these callers are not stored: a proxy names them, or the machine itself. */
const outside: readonly string[] = ['proxy', 'disabled']

interface Known {
  areKnown(): boolean
  look(): Promise<void>
}

/** A process that cannot know whether a right was removed refuses its holder. */
export function whileKnown(
  identify: AccessEdges['identify'],
  { areKnown, look }: Known,
): AccessEdges['identify'] {
  return async (...asked) => {
    const identity = await identify(...asked)
    const { principal } = identity
    if (!principal || outside.includes(principal.method)) return identity
    if (!areKnown()) await look()
    if (!areKnown()) return { ...identity, principal: undefined, problem: unknown(), setCookies: [] }
    return {
      ...identity,
      principal: { ...principal, isCurrent: () => areKnown() && principal.isCurrent() },
      // they can become unknown while the call waits for its body, or for the process that leads
      get problem() {
        return areKnown() ? identity.problem : unknown()
      },
    }
  }
}

const unknown = () =>
  new AppError(
    'database_unavailable',
    'The database does not answer this process, so it cannot check whether your access was removed. Monitoring continues. Try again in a moment, or use another process.',
    { headers: { 'retry-after': '5' } },
  )
