import { useCallback, useState } from 'react'
import { useLive, useSlice } from '../../live/use-live.ts'
import { LiveFigures, LiveNotice, LivePage } from '../../parts/live-page/live-page.tsx'
import { NodeSummary } from '../../parts/node-summary/node-summary.tsx'
import { UnreadableStrip } from '../../parts/sources/unreadable-strip.tsx'
import { useAddress, useAddressValue } from '../../ui/router/use-address.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { type BackupIndexer, createBackupIndex } from './backup-index.ts'
import { BackupsTab } from './backups-tab.tsx'
import { LoadingBackups, NoBackups, useFirstLoad } from './empty.tsx'
import { Headline } from './headline.tsx'
import { countAttention } from './protection/protection-list.ts'
import { ProtectionTab } from './protection/protection-tab.tsx'
import { useReading } from './reading.ts'
import { useBackupsView } from './use-backups-view.ts'
import { useIndexed } from './use-indexed.ts'
import { useSteps } from './use-steps.ts'
import { backupsSkeleton } from './skeleton.tsx'
import { concernsBackups } from './unreadable.ts'

const unable = 'Unable to connect to the backend server. Attempting to reconnect...'
const texts = {
  loading: 'Loading backup information...',
  lost: { title: 'Connection lost', reconnecting: unable, disconnected: unable },
}

/** Snapshots and backups of all guests, and how well each guest is protected. */
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
  // no guest has a backup as long as none was read
  const early = useFirstLoad() && backups === 0
  const attention = early ? 0 : unwell
  const reading = useReading()
  const counts = useIndexed(
    indexOf,
    useCallback((live) => indexOf(live).counts, [indexOf]),
  )
  const { place, selected, server } = view
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
                <ProtectionTab place={server === undefined ? place : undefined} server={server} />
              )),
          },
        ]}
      />
    </div>
  )
}
