// @vitest-environment happy-dom
import { aDisk, aNode, aStorage } from '@pulse/testkit'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { given, openDisks, poolRows as pools, row, type } from './fake-storage.tsx'

const estate = {
  nodes: { n1: aNode(), n2: aNode({ node: 'pve2' }) },
  storage: { s1: aStorage({ name: 'local' }), s2: aStorage({ name: 'tank', node: 'pve2', type: 'zfspool' }) },
}

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('states', () => {
  test('[spec 1 §2] Loading storage data', async () => {
    await given({}, { status: 'connecting', initialDataReceived: false })
    expect(screen.getByRole('status').textContent).toMatch(/^Loading storage data/)
  })

  test('[spec 1 §2] No storage configured, with or without nodes', async () => {
    await given({})
    expect(screen.getByRole('heading', { name: 'No storage configured' })).toBeDefined()
    cleanup()
    await given({ nodes: estate.nodes })
    expect(screen.getByRole('heading', { name: 'No storage configured' })).toBeDefined()
    expect(screen.getByRole('grid', { name: 'Nodes' })).toBeDefined()
  })

  test('configured but unreachable differs from not configured', async () => {
    const main = { name: 'main', kind: 'pve', health: 'error', error: 'connection refused' } as const
    await given({ sources: { c1: main } })
    expect(screen.getByRole('heading', { name: 'No answer from Proxmox VE yet' })).toBeDefined()
  })

  test('[spec 1 §4] lost, with what was known in grey', async () => {
    await given({}, { status: 'disconnected', initialDataReceived: false })
    expect(screen.getByRole('heading', { name: 'Connection lost' })).toBeDefined()
    cleanup()
    await given(estate, { status: 'disconnected', initialDataReceived: false, lastUpdate: Date.now() })
    expect(screen.getByLabelText('Storage pools').closest('.grayscale')).not.toBeNull()
  })

  test('[spec 1 §2] No storage found: No storage matches your search', async () => {
    await given(estate)
    await type('zzz')
    expect(screen.getByRole('heading', { name: 'No storage found' })).toBeDefined()
    expect(screen.getByText('No storage matches your search')).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Reset filters' }))
    expect(pools()).toHaveLength(4)
  })

  test('[spec 1 §2] No physical disks found, for a node and matching what is searched', async () => {
    await given({ ...estate, physicalDisks: { d1: aDisk({ node: 'pve2' }) } })
    await openDisks()
    const none = () => screen.getByRole('heading', { name: /^No physical disks found/ }).textContent
    await type('zzz', 'Search disks')
    expect(none()).toBe('No physical disks found matching "zzz"')
    fireEvent.click(row('pve:n1'))
    expect(none()).toBe('No physical disks found for node pve1 matching "zzz"')
    await type('', 'Search disks')
    expect(none()).toBe('No physical disks found for node pve1')
    cleanup()
    await given({ nodes: estate.nodes })
    await openDisks()
    expect(none()).toBe('No physical disks found')
  })
})

describe('[spec 1 §2] with only what needs attention shown, and none of it left', () => {
  const attention = () => fireEvent.click(screen.getByRole('button', { name: /^Need attention/ }))
  const shown = () =>
    screen.getByRole('heading', { name: /^No (storage|physical disks) found/ }).parentElement!.textContent

  test('No storage found says which filter it is', async () => {
    await given(estate)
    attention()
    expect(shown()).toBe('No storage foundNo storage needs attentionReset filters')
    fireEvent.click(row('pve:n1'))
    expect(shown()).toBe('No storage foundNo storage needs attention on node pve1Reset filters')
    await type('zzz')
    expect(shown()).toContain(
      'No storage matches your search for node pve1. Only what needs attention is shown.',
    )
    fireEvent.click(screen.getByRole('button', { name: 'Reset filters' }))
    expect(pools()).toHaveLength(4)
  })

  test('No physical disks found says which filter it is', async () => {
    await given({ ...estate, physicalDisks: { d1: aDisk() } })
    attention()
    await openDisks()
    expect(shown()).toBe('No physical disks foundNo disk needs attention.Reset filters')
    fireEvent.click(row('pve:n1'))
    expect(shown()).toBe(
      'No physical disks found for node pve1Only what needs attention is shown.Reset filters',
    )
    await type('zzz', 'Search disks')
    expect(shown()).toContain('matching "zzz"Only what needs attention is shown.')
  })
})

describe('a source that answers and does not tell all', () => {
  const since = Date.now() - 300_000
  const shown = (...what: string[]) => ({
    ...estate,
    sources: {
      c1: {
        name: 'main',
        kind: 'pve' as const,
        health: 'degraded' as const,
        unreadable: what.map((one) => ({
          what: one,
          error: '403',
          right: 'Datastore.Audit on /storage',
          since,
        })),
      },
    },
  })

  test.each([
    'storages',
    'storage configuration',
    'pve1 storage',
    'pve2 disks',
    'pve2 zfs',
    'ceph',
    'ceph pools',
  ])('%s: says so above the figures, with the right that is missing', async (what) => {
    await given(shown(what))
    const line = screen.getByRole('list', { name: 'Cannot be read' }).textContent
    expect(line).toContain(`main: ${what} cannot be read`)
    expect(line).toContain('Missing right: Datastore.Audit on /storage')
    expect(row('pool:s1')).not.toBeNull()
  })

  test.each(['storage backups', 'backups of storage disks', 'pve1 status', 'guest snapshots'])(
    '%s is shown where it belongs',
    async (what) => {
      await given(shown(what))
      expect(screen.queryByRole('list', { name: 'Cannot be read' })).toBeNull()
    },
  )

  test('what is switched off is named where it is missed', async () => {
    const off = { name: 'main', kind: 'pve', health: 'healthy' } as const
    const switchedOff = ['monitorStorage', 'monitorPhysicalDisks']
    await given({ nodes: estate.nodes, sources: { c1: { ...off, switchedOff } } })
    expect(screen.getByText('Storage monitoring is switched off for main.')).toBeDefined()
    await openDisks()
    expect(screen.getByText('Physical disk monitoring is switched off for main.')).toBeDefined()
  })
})
