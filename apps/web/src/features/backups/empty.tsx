import type { MonitorFlag, SourceKind } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import { Archive, Loader, Server } from 'lucide-react'
import { useState } from 'react'
import { useMoment } from '../../lib/moment.tsx'
import { useNow } from '../../lib/use-now.ts'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'
import {
  NothingFound,
  type NothingFoundProps,
  NothingThen,
  NotConfigured,
} from '../../parts/live-page/nothing.tsx'
import { sourceName } from '../../parts/sources/unreachable.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useReading } from '../../parts/backups/reading.ts'
import { Link } from '../../ui/router/link.tsx'

/** Shown until the backups have arrived. */
export const LoadingBackups = () => (
  <Card>
    <EmptyState announce icon={<Loader className="spin" size={24} />} title="Loading backup information..." />
  </Card>
)

interface Source {
  id: string
  name: string
  error: string | undefined
  /** which sources have backups switched off: all of them, or only this one */
  off: 'all' | 'alone' | undefined
}

/** Listed among the switched-off flags when backup polling is off altogether. */
const polling = 'backupPolling'

/** The flag that enables backups, by kind of source. */
const switches: Partial<Record<SourceKind, MonitorFlag>> = {
  pve: 'monitorBackups',
  pbs: 'monitorDatastores',
}

/** Connections that can list backups. */
function selectSources(live: LiveReader): readonly Source[] {
  return [...live.records('sources')]
    .filter(([, { kind }]) => kind !== 'docker')
    .map(([id, source]) => {
      const { kind, error, switchedOff = [] } = source
      const flag = kind === 'docker' ? undefined : switches[kind]
      const alone = flag !== undefined && switchedOff.includes(flag) ? 'alone' : undefined
      return { id, name: sourceName(source), error, off: switchedOff.includes(polling) ? 'all' : alone }
    })
}

/** The first poll of all storages takes about this long. */
const FIRST_LOAD_MS = 20_000

/** Whether a missing backup may simply not have been polled yet. */
export function useFirstLoad(): boolean {
  const [begun] = useState(() => Date.now())
  return useNow(1_000, (now) => now - begun < FIRST_LOAD_MS)
}

/** Shown without any backup: no source, none polled yet, or none found. */
export function NoBackups() {
  const sources = useLive(['sources'], selectSources, isEqual)
  const waits = useFirstLoad()
  const reading = useReading()
  const isPast = useMoment() !== undefined
  if (sources.length === 0) return <NoSources />
  if (isPast)
    return (
      <Card>
        <NothingThen icon={<Archive size={24} />} />
      </Card>
    )
  const isEarly = waits || reading !== undefined
  return isEarly && sources.some(({ off }) => !off) ? (
    <FirstLoad reading={reading} />
  ) : (
    <NoData sources={sources} />
  )
}

const NoSources = () => (
  <Card>
    <NotConfigured icon={<Server size={24} />} title="No backup sources configured">
      Add a Proxmox VE node or a Proxmox Backup Server to see its backups here.
    </NotConfigured>
  </Card>
)

const FirstLoad = ({ reading }: { reading: string | undefined }) => (
  <Card>
    <EmptyState announce icon={<Loader className="spin" size={24} />} title="Loading backup data...">
      <p>This may take up to 20 seconds on the first load.</p>
      {reading && <p className="mt-1">{reading}.</p>}
    </EmptyState>
  </Card>
)

function NoData({ sources }: { sources: readonly Source[] }) {
  const [off, asked] = [sources.filter((one) => one.off), sources.filter((one) => !one.off)]
  const failing = asked.filter(({ error }) => error !== undefined)
  return (
    <Card>
      <EmptyState
        announce
        icon={<Archive size={24} />}
        title="No backup data"
        action={
          <>
            <Link to="/settings" className={buttonClass()}>
              Check the sources
            </Link>
            <Link to="/settings/security" className={buttonClass()}>
              Manage tokens
            </Link>
          </>
        }
      >
        {off.some((one) => one.off === 'all') ? (
          <p>Backup polling is switched off in the settings.</p>
        ) : (
          off.length > 0 && (
            <p>Backup monitoring is switched off for {off.map(({ name }) => name).join(', ')}.</p>
          )
        )}
        {failing.length > 0 && (
          <ul>
            {failing.map(({ id, name, error }) => (
              <li key={id}>
                <span className="font-medium text-ink">{name}</span>: {error}
              </li>
            ))}
          </ul>
        )}
        {asked.length > 0 && failing.length === 0 && (
          <p>
            {off.length > 0 ? 'The others' : 'The sources'} respond, but list no snapshots or backups that
            their accounts can see.
          </p>
        )}
      </EmptyState>
    </Card>
  )
}

/** Matching rows may still arrive. */
export const StillReading = ({ reading }: { reading: string }) => (
  <EmptyState icon={<Loader className="spin" size={24} />} title={`${reading}...`}>
    Snapshots show as they are read.
  </EmptyState>
)

export const NoMatch = (props: Pick<NothingFoundProps, 'problem' | 'onReset'>) => (
  <NothingFound title="No backups match your filters" {...props}>
    <p>Try adjusting filters or selecting a different time range.</p>
  </NothingFound>
)
