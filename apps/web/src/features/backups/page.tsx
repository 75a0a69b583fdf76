import type { SourceState } from '@pulse/contract'
import { Loader } from 'lucide-react'
import { type ReactNode, startTransition, useCallback, useEffect, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useLiveContext } from '../../live/live.tsx'
import { useLive, useSlice } from '../../live/use-live.ts'
import { FigureButton } from '../../parts/filter-bar/figure-button.tsx'
import { LiveFigures, LiveNotice, LivePage } from '../../parts/live-page/live-page.tsx'
import { SkeletonTable } from '../../parts/live-page/states.tsx'
import { NodeSummary } from '../../parts/node-summary/node-summary.tsx'
import { UnreadableStrip } from '../../parts/sources/unreadable-list.tsx'
import { TrendsToggle } from '../../parts/trends/trends.tsx'
import { Card } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { useAddress, useAddressValue } from '../../ui/router/use-address.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { type BackupIndexer, createBackupIndex, indexKinds, recordsPerStep } from './backup-index.ts'
import { BackupsTab } from './backups-tab.tsx'
import { CHART_HEIGHT } from './chart-scale.ts'
import { LoadingBackups, NoBackups, useFirstLoad } from './empty.tsx'
import { countAttention } from './protection/protection-list.ts'
import { ProtectionTab } from './protection/protection-tab.tsx'
import { useReading } from '../../parts/backups/reading.ts'
import { useBackupsView } from './use-backups-view.ts'
import { useIndexed } from './use-indexed.ts'

const unable = 'Unable to connect to the backend server. Attempting to reconnect...'
const texts = {
  loading: 'Loading backup information...',
  connectionLost: { title: 'Connection lost', reconnecting: unable, disconnected: unable },
}

/** Snapshots and backups of all guests, and each guest's protection. */
export function BackupsPage() {
  const held = useSlice('backups')
  const [indexOf] = useState(() => createBackupIndex())
  const ready = useSteps(indexOf, held)
  const backups = useIndexed(
    indexOf,
    useCallback((live) => (ready ? indexOf(live).records.size : 0), [indexOf, ready]),
  )
  const guests = useLive(
    ['protections'],
    useCallback((live) => (ready ? live.records('protections').size : 0), [ready]),
  )
  return (
    <LivePage
      title="Backups"
      texts={texts}
      hasFigures={backups + guests > 0}
      empty={ready ? <NoBackups /> : <LoadingBackups />}
      skeleton={backupsSkeleton}
    >
      <Dashboard indexOf={indexOf} backups={backups} />
    </LivePage>
  )
}

const tabIds = ['backups', 'protection'] as const
type TabId = (typeof tabIds)[number]

interface DashboardProps {
  indexOf: BackupIndexer
  backups: number
}

function Dashboard({ indexOf, backups }: DashboardProps) {
  const view = useBackupsView()
  const address = useAddress()
  const [tab = 'backups', setTab] = useAddressValue('tab', tabIds)
  const unwell = useLive(['protections'], countAttention)
  // until the first poll no guest has a backup
  const early = useFirstLoad() && backups === 0
  const attention = early ? 0 : unwell
  const reading = useReading()
  const counts = useIndexed(
    indexOf,
    useCallback((live) => indexOf(live).counts, [indexOf]),
  )
  const { hostKey, selected, server } = view
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <LiveFigures>
          <Headline
            backups={backups}
            attention={tab === 'protection' ? 0 : attention}
            onAttention={() => address.set({ tab: 'protection', guests: 'attention', guest: undefined })}
            reading={reading}
          />
        </LiveFigures>
        <LiveNotice />
        <TrendsToggle className="ml-auto" />
      </div>
      <UnreadableStrip concerns={concernsBackups} />
      <LiveFigures>
        <NodeSummary tab="backups" counts={counts} selected={selected} onSelect={view.select} />
      </LiveFigures>
      <Tabs
        label="Backups and protection"
        value={tab}
        onChange={(id) => setTab(id === 'backups' ? undefined : (id as TabId))}
        tabs={[
          {
            id: 'backups',
            label: 'Backups',
            content:
              tab === 'backups' &&
              (backups > 0 ? <BackupsTab view={view} indexOf={indexOf} /> : <NoBackups />),
          },
          {
            id: 'protection',
            label: 'Protection',
            content:
              tab === 'protection' &&
              (early ? (
                <NoBackups />
              ) : (
                <ProtectionTab node={server === undefined ? hostKey : undefined} server={server} />
              )),
          },
        ]}
      />
    </div>
  )
}

interface HeadlineProps {
  backups: number
  /** number of guests at risk; 0 where the tab itself shows the count */
  attention: number
  /** shows those guests */
  onAttention: () => void
  /** progress text of the first poll */
  reading: string | undefined
}

/** The page's key figures. */
function Headline({ backups, attention, onAttention, reading }: HeadlineProps) {
  return (
    <p className="flex min-h-8 flex-wrap items-center gap-x-4 px-1 text-table text-ink-2">
      <span>
        <Figure count={backups} /> {backups === 1 ? 'backup' : 'backups'}
      </span>
      {attention > 0 && (
        <FigureButton pressed={false} onPress={onAttention} hint="Show only guests that need attention">
          <Figure count={attention} className="text-red" /> {attention === 1 ? 'guest' : 'guests'} at risk
        </FigureButton>
      )}
      {reading && (
        <span className="flex items-center gap-1.5 text-ink-3 tabular-nums">
          <Loader aria-hidden className="spin" size={12} />
          {reading}
        </span>
      )}
    </p>
  )
}

const Figure = ({ count, className }: { count: number; className?: string }) => (
  <span className={cx('font-semibold tabular-nums', className ?? 'text-ink')}>{formatNumber(count)}</span>
)

/** Placeholder for the nodes, the chart and the table. */
const backupsSkeleton = (notice: ReactNode) => (
  <>
    {notice}
    <SkeletonTable rows={3} />
    <Card className="flex flex-col gap-3 p-3">
      <Skeleton className="h-3 w-40" />
      <div className="flex items-end gap-1" style={{ height: CHART_HEIGHT }}>
        {Array.from({ length: 30 }, (_, day) => (
          <Skeleton key={day} className="h-1.5 flex-1" />
        ))}
      </div>
    </Card>
    <SkeletonTable rows={8} />
  </>
)

/** Whether the page lacks data while this part of a source is unreadable. */
export function concernsBackups({ kind }: Pick<SourceState, 'kind'>, what: string): boolean {
  if (kind === 'pve') return /backup|snapshot|replication/.test(what)
  if (kind === 'pmg') return what.startsWith('backups')
  return kind === 'pbs' && what !== 'server status'
}

/**
 * Lets the index describe due records in steps, yielding to the event loop in between. Returns whether it has
 * described all records once; `held` says whether they have arrived.
 */
function useSteps(indexOf: BackupIndexer, held: boolean): boolean {
  const { store } = useLiveContext()
  const [ready, setReady] = useState(false)
  useEffect(() => {
    if (!held) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const step = () => {
      timer = undefined
      if (indexOf.step(store, recordsPerStep) === 'more') wake()
      else startTransition(() => setReady(true))
    }
    const wake = () => {
      timer ??= setTimeout(step)
    }
    step()
    const stops = indexKinds.map((kind) => store.onKind(kind, wake))
    return () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }, [indexOf, store, held])
  return ready
}
