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

test('[N 6] each process shows its roles, its load, what waits and its last word; one leads', async () => {
  await renderSettings(
    <ProcessesPanel
      processes={[
        process,
        { ...process, host: 'watch2', leads: false, roles: ['serve'], sources: 0, waiting: 7 },
      ]}
    />,
    {},
  )
  expect(screen.getAllByRole('article').map(({ textContent }) => textContent)).toEqual([
    'watch1LeadsSitemainRolescollects, can lead, serves pagesVersion1.5.0Sources1,200Started2 hours agoLast word2 seconds ago',
    'watch2SitemainRolesserves pagesVersion1.5.0Sources0Messages waiting7Started2 hours agoLast word2 seconds ago',
  ])
})
