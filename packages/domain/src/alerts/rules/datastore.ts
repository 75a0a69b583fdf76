import { type Datastore, figures } from '@pulse/contract'
import { judged } from '../condition.ts'
import type { Rule, Subject } from '../judging.ts'
import { delayTypes } from '../delays.ts'
import { judgeMetric } from '../metric.ts'
import { fullWithin } from './full-within.ts'
import { storageConfirmations } from './storage.ts'

/** States of an unusable datastore. Maintenance and a missing permission are not faults. */
const bad: readonly string[] = ['error', 'unmounted']

const unavailable: Rule<Datastore> = {
  name: 'datastore-unavailable',
  seesStale: true,
  judge({ name, status, error, source }, on) {
    const isBad = bad.includes(status)
    if (!isBad && !on.isWatched) return
    const silence = on.silence(source)
    const held = silence ?? (isBad || status === 'available' ? undefined : `Its state is ${status}.`)
    on.emit({
      id: `storage-offline-${on.record}`,
      type: 'offline',
      ...judged(isBad, held),
      level: 'warning',
      confirmations: storageConfirmations,
      message: `Datastore ${name} is not available${error ? `: ${error}` : ''}`,
    })
  },
}

const fullness: Rule<Datastore> = {
  name: 'datastore-usage',
  judge: (datastore, on) => judgeMetric(on, 'usage', delayTypes.storage, figures.datastores.usage, datastore),
}

export const datastores: Subject<'datastores'> = {
  kind: 'datastores',
  settings: 'datastores',
  resource({ server, name, source }, _key, tables) {
    const host = tables.pbs.get(source)
    return {
      id: `${server}-${name}`,
      name,
      node: host?.host ?? '',
      instance: host?.name ?? server,
      type: 'Datastore',
    }
  },
  rules: [unavailable, fullness, fullWithin('datastore-full-within', 'Datastore')],
}
