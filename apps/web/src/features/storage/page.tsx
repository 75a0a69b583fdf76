import type { SourceState } from '@pulse/contract'
import { useRef } from 'react'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'
import { PageKeys } from '../../parts/keys/page-keys.tsx'
import { chartTableKeys } from '../../parts/keys/table-keys.ts'
import { LiveFigures, LiveNotice, LivePage } from '../../parts/live-page/live-page.tsx'
import { NodeSummary } from '../../parts/node-summary/node-summary.tsx'
import { type Counts, type CountsByRow, sameCounts } from '../../parts/node-summary/rows.ts'
import { nodeKey } from '../../parts/nodes/nodes.ts'
import { UnreadableStrip } from '../../parts/sources/unreadable-list.tsx'
import { UntilAnswered } from '../../parts/sources/until-answered.tsx'
import { Card } from '../../ui/card.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Disks } from './disks.tsx'
import { NoStorage } from './empty.tsx'
import { nodeKeysOf } from '../../parts/storage/storage-nodes.ts'
import { Pools } from './pools.tsx'
import { StorageFigures } from './storage-figures.tsx'
import { type StorageTab, useStorageView } from './use-storage-view.ts'

const texts = { loading: 'Loading storage data' }
const shown = ['nodes', 'storage', 'physicalDisks'] as const

/** Storages, the pools below them, and physical disks. */
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
      <PageKeys keys={chartTableKeys} focusSearch={() => search.current?.focus()} onEscape={view.resetAll} />
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

/** Numbers of usable storages and of disks, by node. */
export function selectStorageCounts(live: LiveReader): CountsByRow {
  const counts = new Map<string, Required<Pick<Counts, 'storage' | 'disks'>>>()
  for (const node of live.records('nodes').values()) counts.set(nodeKey(node), { storage: 0, disks: 0 })
  for (const pool of live.records('storage').values()) {
    for (const key of nodeKeysOf(pool)) {
      const count = counts.get(key)
      if (count) count.storage += 1
    }
  }
  for (const disk of live.records('physicalDisks').values()) {
    const count = counts.get(nodeKey(disk))
    if (count) count.disks += 1
  }
  return counts
}

/** Requests to a whole cluster, or to a node, whose name then comes first. */
const asked = /^(?:\S+ )?(?:storages?|storage configuration|disks|disk temperatures|zfs|ceph|ceph pools)$/

/** Whether the page lacks data while this part of a source is unreadable. */
const concernsStorage = ({ kind }: Pick<SourceState, 'kind'>, what: string): boolean =>
  kind === 'pve' && asked.test(what)
