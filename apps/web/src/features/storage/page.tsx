import { useRef } from 'react'
import { useLive } from '../../live/use-live.ts'
import { PageKeys } from '../../parts/keys/page-keys.tsx'
import { tableKeys } from '../../parts/keys/table-keys.ts'
import { LiveFigures, LiveNotice, LivePage } from '../../parts/live-page/live-page.tsx'
import { NodeSummary } from '../../parts/node-summary/node-summary.tsx'
import { sameCounts } from '../../parts/node-summary/rows.ts'
import { UnreadableStrip } from '../../parts/sources/unreadable-strip.tsx'
import { UntilAnswered } from '../../parts/sources/until-answered.tsx'
import { Card } from '../../ui/card.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { selectStorageCounts } from './counts.ts'
import { Disks } from './disks.tsx'
import { NoStorage } from './empty.tsx'
import { Pools } from './pools.tsx'
import { StorageFigures } from './storage-figures.tsx'
import { concernsStorage } from './unreadable.ts'
import { type StorageTab, useStorageView } from './use-storage-view.ts'

const texts = { loading: 'Loading storage data' }
const shown = ['nodes', 'storage', 'physicalDisks'] as const

/** Storages, what lies below them, and the disks of the nodes. */
export function StoragePage() {
  const hasFigures = useLive(shown, (live) => shown.some((kind) => live.records(kind).size > 0))
  return (
    <LivePage
      title="Storage"
      texts={texts}
      hasFigures={hasFigures}
      empty={
        <UntilAnswered
          none={
            <Card>
              <NoStorage />
            </Card>
          }
        />
      }
    >
      <Dashboard />
    </LivePage>
  )
}

function Dashboard() {
  const view = useStorageView()
  const counts = useLive(shown, selectStorageCounts, sameCounts)
  const search = useRef<HTMLInputElement>(null)
  const { tab } = view
  return (
    <div className="flex flex-col gap-2">
      <PageKeys keys={tableKeys} focusSearch={() => search.current?.focus()} onEscape={view.resetAll} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <LiveFigures>
          <StorageFigures pressed={view.attention} onPress={view.showAttention} />
        </LiveFigures>
        <LiveNotice />
      </div>
      <UnreadableStrip concerns={concernsStorage} />
      <LiveFigures>
        <NodeSummary tab="storage" counts={counts} selected={view.node?.key} onSelect={view.select} />
      </LiveFigures>
      <Tabs
        label="Storage"
        value={tab}
        onChange={(id) => view.setTab(id as StorageTab)}
        tabs={[
          {
            id: 'pools',
            label: 'Storage Pools',
            content: tab === 'pools' && <Pools view={view} search={search} />,
          },
          {
            id: 'disks',
            label: 'Physical Disks',
            content: tab === 'disks' && <Disks view={view} search={search} />,
          },
        ]}
      />
    </div>
  )
}
