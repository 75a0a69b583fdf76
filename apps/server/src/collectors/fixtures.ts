import type { RecordKind, RecordOf, SourceState } from '@pulse/contract'
import type { Clock, Observation } from '@pulse/domain'
// For tests only, like this package.
import { aMeta } from '@pulse/testkit'
import type { Logger } from 'pino'
import { logHealth } from '../state/log-health.ts'
import { createState, type State } from '../state/state.ts'

/** One source as users see it: its observations with the health and age that the state adds. */
export interface ShownSource {
  state: Pick<State, 'subscribe' | 'stop'>
  observe(observation: Observation): void
  /** the observation as the source published it */
  latest(): Observation | undefined
  source(): SourceState | undefined
  /** in publication order */
  records<K extends RecordKind>(kind: K): RecordOf<K>[]
}

export function aShownSource(clock: Clock, log: Logger): ShownSource {
  const state = createState(aMeta(), undefined, clock, [])
  logHealth(state, log)
  let latest: Observation | undefined
  return {
    state,
    observe(observation) {
      latest = observation
      state.observe(observation)
    },
    latest: () => latest,
    source: () => latest && state.tables.sources.get(latest.source),
    records: (kind) =>
      [...(latest?.records[kind]?.keys() ?? [])].map((id) => state.tables[kind].get(id)! as never),
  }
}
