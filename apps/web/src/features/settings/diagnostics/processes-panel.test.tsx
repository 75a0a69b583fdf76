// @vitest-environment happy-dom
import type { ProcessCheck } from '@pulse/contract'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderSettings } from '../fake-settings.tsx'
import { ProcessesPanel } from './processes-panel.tsx'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime('2026-01-02T10:00:00Z')
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const process: ProcessCheck = {
  host: 'watch1',
  site: 'main',
  version: '1.5.0',
  roles: ['collect', 'judge', 'serve'],
  leads: true,
  sources: 1_200,
  waiting: 0,
  startedAt: '2026-01-02T08:00:00Z',
  lastWord: '2026-01-02T09:59:58Z',
}

const shown = () => screen.getAllByRole('article').map(({ textContent }) => textContent)
const show = (...processes: ProcessCheck[]) => renderSettings(<ProcessesPanel processes={processes} />, {})

test('[N 6] each process shows its roles, its leases, its lag and its last word; one leads', async () => {
  await show(process, { ...process, host: 'watch2', leads: false, roles: ['serve'], sources: 1, waiting: 7 })
  expect(shown()).toEqual([
    'watch1LeadsSitemainRolescollect, judge (can lead), serveVersion1.5.0Leases1,200 sources and the leadLag0 messagesStarted2 hours agoLast word2 seconds ago',
    'watch2SitemainRolesserveVersion1.5.0Leases1 sourceLag7 messagesStarted2 hours agoLast word2 seconds ago',
  ])
})

test('[N 6] a process that the database does not answer says so', async () => {
  await show({ ...process, leads: false, hasDatabase: false }, { ...process, hasDatabase: true })
  expect(shown().map((text) => text!.includes('Database unreachable'))).toEqual([true, false])
})

test('[N 6] a collector elsewhere is called so, and has no lag; without a role it shows none', async () => {
  const elsewhere = { ...process, host: 'edge', site: 'Berlin', leads: false, isRemote: true, sources: 3 }
  await show({ ...elsewhere, roles: ['collect'] }, { ...elsewhere, roles: [] })
  const rest = 'Version1.5.0Leases3 sourcesStarted2 hours agoLast word2 seconds ago'
  expect(shown()).toEqual([
    `edgeCollector elsewhereSiteBerlinRolescollect${rest}`,
    `edgeCollector elsewhereSiteBerlinRolesnone${rest}`,
  ])
})
