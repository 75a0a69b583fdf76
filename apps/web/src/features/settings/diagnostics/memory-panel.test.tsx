// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aResult } from './fake-diagnostics.ts'
import { guestSources, MemoryPanel } from './memory-panel.tsx'

const GB = 1024 ** 3
const snapshot = {
  instance: 'prod',
  node: 'pve1',
  memorySource: 'rrd',
  fallback: false,
  used: 2 * GB,
  total: 8 * GB,
}
const guests = [
  { ...snapshot, vmid: 100, memorySource: 'mem' },
  { ...snapshot, vmid: 101, memorySource: 'agent' },
  { ...snapshot, vmid: 102, memorySource: 'agent' },
]

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime('2026-01-02T10:00:00Z')
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('[facts/platform 13] memory sources with their nodes, and which of them are fallbacks', () => {
  const lastUpdated = '2026-01-02T09:59:50Z'
  const memorySources = [
    { instance: 'prod', source: 'rrd', nodeCount: 3, lastUpdated, fallback: false },
    { instance: 'prod', source: 'used', nodeCount: 1, lastUpdated, fallback: true },
  ]
  render(
    <MemoryPanel result={aResult({ memorySources, nodeSnapshots: [snapshot], guestSnapshots: guests })} />,
  )
  const rows = within(screen.getByRole('table', { name: 'Memory sources' }))
    .getAllByRole('row')
    .slice(1)
  expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
    ['prod', 'recorded statistics', '3', '10 seconds ago'],
    ['prod', 'used memory with page cacheFallback', '1', '10 seconds ago'],
  ])
  expect(screen.getByText('Guests: 2 by guest agent, 1 by memory of the machine')).toBeDefined()
  expect(screen.getByText('Per node (1)')).toBeDefined()
})

test('a source that this page has no words for is shown by its name', () => {
  expect(guestSources([{ ...guests[0]!, memorySource: 'newer' }])).toEqual(['1 by newer'])
})

test('nothing is shown before the first reading', () => {
  expect(render(<MemoryPanel result={aResult()} />).container.textContent).toBe('')
})

test('guests are counted by source, the most frequent first', () => {
  expect(guestSources(guests)).toEqual(['2 by guest agent', '1 by memory of the machine'])
})
