import { backupFields, compileSearch } from '@pulse/domain'
import { useCallback, useDeferredValue, useMemo } from 'react'
import type { BackupIndexer } from './backup-index.ts'
import { type BackupList, createBackupListSelector } from './backup-list.ts'
import type { BackupsView } from './use-backups-view.ts'
import { useIndexed } from './use-indexed.ts'

/** The backups that the view shows, in its order. */
export function useBackupList(view: BackupsView, indexOf: BackupIndexer): BackupList {
  const search = useDeferredValue(view.search)
  const matches = useMemo(() => compileSearch(search, backupFields), [search])
  const { day, place } = view
  const { source, type, grouping } = view.chosen
  const { key, direction } = view.sort
  const select = useMemo(
    () =>
      createBackupListSelector(
        { matches, source, type, grouping, day, place, sort: { key, direction } },
        indexOf,
      ),
    [matches, source, type, grouping, day, place, key, direction, indexOf],
  )
  return useIndexed(
    indexOf,
    useCallback((live) => select(live), [select]),
  )
}
