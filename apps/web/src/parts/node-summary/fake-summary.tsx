import { aNode, anAlert, aPbsServer } from '@pulse/testkit'
import { cleanup, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, vi } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { aRouter } from '../../ui/router/fake-history.ts'
import { renderInApp } from '../fake-app.tsx'
import { nodeKey } from '../nodes/nodes.ts'
import type { SummaryTab } from './columns.tsx'
import { NodeSummary } from './node-summary.tsx'
import type { Counts, SummaryRowKey } from './rows.ts'

export const sensors = { available: true, hasCPU: true, hasNVMe: false }
export const onSelect = vi.fn<(key: SummaryRowKey | undefined) => void>()

function estate() {
  return aLive({
    nodes: {
      n1: aNode({
        node: 'pve1',
        cpu: 0.5,
        temperature: { ...sensors, cpuPackage: 75, cpuMin: 40, cpuMaxRecord: 88 },
      }),
      n2: aNode({ node: 'pve2', status: 'offline', staleSince: Date.now() - 121_000 }),
      n3: aNode({
        node: 'pve3',
        displayName: 'Lab',
        isClusterMember: false,
        cpu: 0.95,
        staleSince: Date.now() - 61_000,
      }),
    },
    pbs: { p1: aPbsServer() },
    activeAlerts: {
      a: anAlert({ resourceId: 'main-pve1', level: 'critical' }),
      b: anAlert({ resourceId: 'main-pve2' }),
      c: anAlert({ resourceId: 'main-pve3', acknowledged: true }),
    },
  })
}

export const counts = new Map<string, Counts>([
  [nodeKey({ instance: 'main', node: 'pve1' }), { vms: 4, containers: 1200 }],
])

export async function showSummary(tab: SummaryTab = 'overview', live = estate(), router = aRouter()) {
  function Holder() {
    const [selected, setSelected] = useState<SummaryRowKey>()
    return (
      <NodeSummary
        tab={tab}
        counts={counts}
        selected={selected}
        onSelect={(key) => {
          onSelect(key)
          setSelected(key)
        }}
      />
    )
  }
  await renderInApp(<Holder />, { live, router })
  return live
}

export const rowOf = (key: SummaryRowKey) => document.querySelector<HTMLElement>(`[data-row="${key}"]`)!
export const keys = () =>
  [...document.querySelectorAll<HTMLElement>('[data-row]')].map((row) => row.dataset['row'])
export const isDimmed = (key: SummaryRowKey) => rowOf(key).querySelector('[data-dimmed="true"]') !== null
export const cells = (key: SummaryRowKey) =>
  within(rowOf(key))
    .getAllByRole('gridcell')
    .map((cell) => cell.textContent)
export const head = (name: string) => within(screen.getByRole('columnheader', { name })).getByRole('button')

/** Clears browser storage before each test. */
export function inFreshBrowsers() {
  beforeEach(() => {
    localStorage.clear()
    counts.set(nodeKey({ instance: 'main', node: 'pve1' }), { vms: 4, containers: 1200 })
    vi.clearAllMocks()
    vi.stubGlobal('scrollTo', () => {})
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })
}
