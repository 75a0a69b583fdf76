import { alertLevels } from '../../parts/alerts/alert-levels.ts'
import { diskTrouble } from '../../parts/alerts/attention.ts'
import { createListSelector } from '../../parts/list/list-selector.ts'
import { placeKey } from '../../parts/nodes/nodes.ts'
import { diskHealth } from '../../parts/storage/health.ts'
import type { Sort } from '../../ui/table/sort.ts'
import { type DiskColumnId, diskColumns } from './disk-columns.tsx'
import { nodeNames } from './node-names.ts'
import type { DiskPredicate } from './storage-search.ts'

export interface DiskQuery {
  matches: DiskPredicate
  sort: Sort<DiskColumnId>
  /** only the disks of the node of this place */
  place: string | undefined
  /** only what needs a look */
  attention: boolean
}

export const diskListNames = { record: 'disk', group: 'place' } as const

export function createDiskListSelector({ matches, sort, place, attention }: DiskQuery) {
  const { value } = diskColumns.find(({ id }) => id === sort.key)!
  return createListSelector({
    kind: 'physicalDisks',
    names: diskListNames,
    around: (live) => [nodeNames(live), alertLevels(live)] as const,
    direction: sort.direction,
    see(disk, [names, alerts]) {
      const own = placeKey(disk)
      if (place !== undefined && place !== own) return undefined
      if (!matches(disk, names)) return undefined
      if (attention && !diskTrouble(disk, alerts.get(disk.id))) return undefined
      return {
        value: value(disk, undefined),
        tie: `${disk.node} ${disk.devPath}`,
        group: own,
        mark: diskHealth(disk),
      }
    },
  })
}
