import type { Storage, ZfsPool } from '@pulse/contract'
import { type AlertLevel, type Condition, judged } from '../condition.ts'
import type { Rule } from '../judging.ts'

const lost: readonly string[] = ['FAULTED', 'UNAVAIL']
const fineDevices: readonly string[] = ['ONLINE', 'SPARE', 'AVAIL', 'INUSE']

/** Several storages on one pool share its key. */
const poolKey = ({ source, node }: Storage, { name }: ZfsPool) => `${source}:${node}:${name}`

/** State, errors and devices of a pool. A running scrub keeps the state ONLINE. */
export const zfs: Rule<Storage> = {
  name: 'storage-zfs',
  // A failed pool makes its storages unavailable. The pool's alert has the details.
  seesStale: true,
  namesOnlyBad: true,
  judge(storage, on) {
    const pool = storage.zfsPool
    if (!pool) return on.holdRest('Its pool is not reported.')
    if (!on.isWatched && isWell(pool)) return
    const isOld = pool.staleSince !== undefined || storage.staleSince !== undefined
    const held = isOld ? 'The data of the pool are stale.' : undefined
    if (held !== undefined) on.holdRest(held)
    const key = poolKey(storage, pool)
    const emit = (
      id: string,
      type: Condition['type'],
      isBad: boolean,
      level: AlertLevel,
      value: number,
      message: string,
    ) => on.emit({ id, type, ...judged(isBad, held), level, value, message, metadata: { pool: pool.name } })
    const errors = pool.readErrors + pool.writeErrors + pool.checksumErrors
    emit(
      `zfs-pool-state-${key}`,
      'zfs-pool-state',
      isTroubled(pool.state),
      levelOf(pool.state),
      0,
      `ZFS pool ${pool.name} is ${pool.state}${pool.status ? `: ${pool.status}` : ''}`,
    )
    emit(
      `zfs-pool-errors-${key}`,
      'zfs-pool-errors',
      errors > 0,
      'warning',
      errors,
      `ZFS pool ${pool.name} counts ${errors} errors (read ${pool.readErrors}, write ${pool.writeErrors}, checksum ${pool.checksumErrors})`,
    )
    for (const { name, state, readErrors, writeErrors, checksumErrors, message } of pool.devices) {
      const count = readErrors + writeErrors + checksumErrors
      emit(
        `zfs-device-${key}-${name}`,
        'zfs-device',
        !fineDevices.includes(state) || count > 0,
        levelOf(state),
        count,
        `ZFS pool ${pool.name}: device ${name} is ${state} (${count} errors)${message ? `: ${message}` : ''}`,
      )
    }
  },
}

/** An unknown state is no fault. */
const isTroubled = (state: string) => state !== 'ONLINE' && state !== 'UNKNOWN' && state !== ''
const levelOf = (state: string): AlertLevel => (lost.includes(state) ? 'critical' : 'warning')
const isWell = (pool: ZfsPool) =>
  !isTroubled(pool.state) &&
  pool.devices.length === 0 &&
  pool.readErrors + pool.writeErrors + pool.checksumErrors === 0
