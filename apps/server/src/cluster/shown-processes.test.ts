import { expect, test } from 'vitest'
import type { PresentProcess } from './presence.ts'
import { shownProcesses } from './shown-processes.ts'

const card: PresentProcess = {
  id: 'one',
  host: 'watch1',
  version: '1.5.0',
  site: 'main',
  roles: ['collect'],
  startedAt: 1_000,
  leads: false,
  sources: 3,
  waiting: 2,
  lastWordAt: 2_000,
}

test('the one that leads comes first, then by site and machine; each says whether it is elsewhere and has the database', () => {
  const shown = shownProcesses([
    { ...card, host: 'edge', site: 'Berlin', isRemote: true },
    { ...card, host: 'watch2', hasDatabase: false },
    { ...card, leads: true, hasDatabase: true },
    { ...card, host: 'watch3' },
  ])!
  expect(shown.map(({ host, isRemote, hasDatabase }) => [host, isRemote, hasDatabase])).toEqual([
    ['watch1', undefined, true],
    ['edge', true, undefined],
    ['watch2', undefined, false],
    ['watch3', undefined, undefined],
  ])
  expect(shown[0]).toEqual({
    host: 'watch1',
    site: 'main',
    version: '1.5.0',
    roles: ['collect'],
    leads: true,
    hasDatabase: true,
    sources: 3,
    waiting: 2,
    startedAt: '1970-01-01T00:00:01.000Z',
    lastWord: '1970-01-01T00:00:02.000Z',
  })
})
