import { figures, type Storage } from '@pulse/contract'
import type { Verdict } from '../condition.ts'
import type { Judging, Rule, Subject } from '../judging.ts'
import { judgeMetric } from '../metric.ts'
import { delayTypes } from '../delays.ts'
import { fullWithin } from './full-within.ts'
import { zfs } from './zfs.ts'

export const storageConfirmations = 2

/** An enabled storage that cannot be used. */
const unavailable: Rule<Storage> = {
  name: 'storage-unavailable',
  // When it becomes unavailable its figures become stale, but not its status.
  seesStale: true,
  judge(storage, on) {
    const isBad = isUnavailable(storage)
    if (!isBad && !on.isWatched) return
    on.emit({
      id: `storage-offline-${on.record}`,
      type: 'offline',
      ...verdictOf(storage, isBad, on),
      origin: on.policy.offline.origin,
      level: 'warning',
      confirmations: storageConfirmations,
      message: `Storage ${storage.name} is not available (${storage.status})`,
    })
  },
}

const isUnavailable = ({ enabled, status }: Storage) =>
  enabled && !['available', 'disabled', 'unknown'].includes(status)

function verdictOf(
  { enabled, status, source }: Storage,
  isBad: boolean,
  on: Judging,
): { verdict: Verdict; reason?: string } {
  const { off } = on.policy.offline
  if (off !== undefined) return { verdict: 'off', reason: off }
  if (!enabled || status === 'disabled') return { verdict: 'off', reason: 'It is disabled.' }
  const silence = on.silence(source)
  if (silence !== undefined) return { verdict: 'held', reason: silence }
  if (status === 'unknown') return { verdict: 'held', reason: 'It is unknown whether it is available.' }
  return { verdict: isBad ? 'bad' : 'fine' }
}

const fullness: Rule<Storage> = {
  name: 'storage-usage',
  judge(storage, on) {
    judgeMetric(
      on,
      'usage',
      delayTypes.storage,
      figures.storage.usage,
      storage,
      storage.enabled ? undefined : { off: 'It is disabled.' },
    )
  },
}

export const storages: Subject<'storage'> = {
  kind: 'storage',
  settings: 'storage',
  resource: ({ id, name, node, instance }) => ({ id, name, node, instance, type: 'Storage' }),
  down: (storage, on) =>
    isUnavailable(storage) && on.isOpen(`storage-offline-${on.record}`) ? 'It is not available.' : undefined,
  rules: [unavailable, fullness, fullWithin('storage-full-within', 'Storage'), zfs],
}
