import { isEqual } from '@pulse/domain'
import { useCallback } from 'react'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'
import { UnreadableList } from '../../parts/sources/unreadable-list.tsx'
import { sourceName } from '../../parts/sources/unreachable.ts'

interface SourceNotesProps {
  /** id of the connection */
  source: string
  /** of its parts that cannot be read */
  concerns: RegExp
}

/** Why a list of backups may lack something: backups are switched off, or the account may not read them. */
export function SourceNotes({ source, concerns }: SourceNotesProps) {
  const off = useLive(
    ['sources'],
    useCallback((live) => switchedOffText(live, source), [source]),
  )
  const parts = useLive(
    ['sources'],
    useCallback(
      (live) => live.get('sources', source)?.unreadable?.filter(({ what }) => concerns.test(what)) ?? [],
      [source, concerns],
    ),
    isEqual,
  )
  return (
    <>
      {off && <p className="border-b border-line px-4 py-2 text-table text-ink-2">{off}</p>}
      <UnreadableList parts={parts} />
    </>
  )
}

function switchedOffText(live: LiveReader, source: string): string | undefined {
  const state = live.get('sources', source)
  if (state?.switchedOff?.includes('backupPolling')) return 'Backup polling is switched off in the settings.'
  return state?.switchedOff?.includes('monitorBackups')
    ? `Backup monitoring is switched off for ${sourceName(state)}.`
    : undefined
}
