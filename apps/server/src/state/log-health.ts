import type { SourceState } from '@pulse/contract'
import type { Logger } from 'pino'
import type { State } from './state.ts'

/** Logs the health of each polled source, once per change. Agents are logged elsewhere, by host name. */
export function logHealth(state: Pick<State, 'subscribe'>, log: Logger): () => void {
  const logged = new Map<string, SourceState['health']>()

  function logChange(connection: string, { kind, name: source, health, error }: SourceState) {
    const before = logged.get(connection) ?? 'unknown'
    logged.set(connection, health)
    if (kind === 'docker' || health === before) return
    if (health === 'error') log.warn({ connection, source, error }, 'source does not answer')
    else if (health === 'degraded') log.warn({ connection, source, error }, 'source is degraded')
    else if (health === 'healthy' && before !== 'unknown')
      log.info({ connection, source }, 'source is healthy again')
  }

  return state.subscribe(({ sources }) => {
    for (const id of sources?.remove ?? []) logged.delete(id)
    for (const [id, one] of sources?.put ?? []) logChange(id, one)
  })
}
