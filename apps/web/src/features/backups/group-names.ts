import type { LiveReader } from '../../live/store.ts'
import type { BackupIndexer } from './backup-index.ts'
import { backupListNames } from './backup-list.ts'
import { partsOfGroup } from './backup-row.ts'

export interface GroupNames {
  name: string
  instance: string
}

/** How the guest of a group is called: by the first of its backups in the list that has a name. */
export function selectGroupNames(
  live: LiveReader,
  group: string,
  { rows, indexOf }: { rows: readonly string[]; indexOf: BackupIndexer },
): GroupNames {
  const { cluster, words } = partsOfGroup(group)
  if (cluster === '') return { name: words, instance: '' }
  const { records } = indexOf(live)
  let instance = instanceOf(live, cluster)
  for (let at = rows.indexOf(`${backupListNames.group}:${group}`) + 1; at < rows.length; at++) {
    const [kind, id] = rows[at]!.split(/:(.*)/s) as [string, string]
    const backup = kind === backupListNames.record ? records.get(id) : undefined
    if (!backup) break
    instance ??= backup.instance
    if (backup.name) return { name: backup.name, instance }
  }
  return { name: '', instance: instance ?? '' }
}

function instanceOf(live: LiveReader, cluster: string): string | undefined {
  for (const { source, instance } of live.records('nodes').values()) if (source === cluster) return instance
  return undefined
}
