import type { ZfsPool } from '@pulse/contract'
import { compareNames, isEqual } from '@pulse/domain'
import { useCallback } from 'react'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'
import { isTroubled } from '../../parts/alerts/disk-health.ts'
import { StaleBadge } from '../../parts/cells/outage.tsx'
import { nodeKeysOf } from '../../parts/storage/storage-nodes.ts'
import { ZfsTrouble } from '../../parts/storage/zfs-trouble.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Section } from './section.tsx'

/** The ZFS pools below the storages of a node. Nodes without ZFS have none. */
export function ZfsPools({ nodeKey: key }: { nodeKey: string }) {
  const pools = useLive(
    ['storage'],
    useCallback((live) => poolsOf(live, key), [key]),
    isEqual,
  )
  if (pools.length === 0) return null
  return (
    <Section title="ZFS pools" count={pools.length}>
      <ul className="text-xs">
        {pools.map((pool) => (
          <li key={pool.name} className="border-b border-line px-4 py-2.5 last:border-b-0">
            {isTroubled(pool) ? <ZfsTrouble pool={pool} /> : <Healthy pool={pool} />}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Several storages may be on one pool. */
function poolsOf(live: LiveReader, key: string): readonly ZfsPool[] {
  const pools = new Map<string, ZfsPool>()
  for (const storage of live.records('storage').values()) {
    const { zfsPool } = storage
    if (zfsPool && nodeKeysOf(storage).includes(key)) pools.set(zfsPool.name, zfsPool)
  }
  return [...pools.values()].toSorted((a, b) => compareNames(a.name, b.name))
}

function Healthy({ pool }: { pool: ZfsPool }) {
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium text-ink">ZFS pool {pool.name}</span>
        <Badge>{pool.state}</Badge>
        {pool.staleSince !== undefined && <StaleBadge since={pool.staleSince} />}
      </p>
      {pool.scan && <p className="mt-1 break-words text-ink-3">{pool.scan}</p>}
    </>
  )
}
