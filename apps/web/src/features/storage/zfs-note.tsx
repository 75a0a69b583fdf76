import { memo } from 'react'
import { useEntity } from '../../live/use-live.ts'
import { DetailsCell } from '../../parts/list/details.tsx'
import { ZfsTrouble } from '../../parts/storage/zfs-trouble.tsx'

/** Below a storage with an unhealthy ZFS pool: the problem and the affected devices. */
export const ZfsNote = memo(function ZfsNote({ id, colSpan }: { id: string; colSpan: number }) {
  const pool = useEntity('storage', id)?.zfsPool
  return pool ? (
    <DetailsCell colSpan={colSpan} slim>
      <ZfsTrouble pool={pool} />
    </DetailsCell>
  ) : null
})
