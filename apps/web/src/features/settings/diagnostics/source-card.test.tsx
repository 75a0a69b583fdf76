// @vitest-environment happy-dom
import type { DiagnosedNode } from '@pulse/contract'
import { act, cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { aDiagnosedNode } from './fake-diagnostics.ts'
import { type DiagnosedSource, SourceCard } from './source-card.tsx'

const show = (over: Partial<DiagnosedNode> = {}) => render(<SourceCard source={aDiagnosedNode(over)} />)
const card = () => screen.getByRole('article', { name: 'prod' })
const facts = () => [...card().querySelectorAll('dl > div')].map(({ textContent }) => textContent)
const items = (name: string) =>
  within(screen.getByRole('list', { name }))
    .getAllByRole('listitem')
    .map((item) => [...item.childNodes].map(({ textContent }) => textContent))

const cells = (table: string) =>
  within(screen.getByRole('table', { name: table }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent))

const block = (name: string) => screen.queryByRole('heading', { level: 4, name })

async function open(summary: string) {
  const details = screen.getByText(summary).parentElement as HTMLDetailsElement
  await act(async () => {
    details.open = true
    details.dispatchEvent(new Event('toggle'))
  })
}

afterEach(cleanup)

describe('[spec 2 §3] a connection', () => {
  test.each([
    { authMethod: 'api_token', words: 'API token' },
    { authMethod: 'username_password', words: 'User and password' },
    { authMethod: 'none', words: 'No credentials' },
  ] as const)('signs in by $authMethod: $words', ({ authMethod, words }) => {
    show({ authMethod })
    expect(facts()).toEqual([`Sign-in${words}`, 'Last dataNever'])
  })

  test('tells its version and cluster', () => {
    show({ details: { node_count: 3, version: '9.2' }, clusterInfo: { name: 'lab', nodes: 3 } })
    expect(facts()).toEqual(['Sign-inAPI token', 'Version9.2', 'Clusterlab, 3 nodes', 'Last dataNever'])
  })

  test('that does not answer says why', () => {
    show({ connected: false, error: 'connection refused' })
    expect(within(card()).getByText('Not connected')).toBeDefined()
    expect(within(card()).getByText('connection refused')).toBeDefined()
  })

  test('of a backup server or a mail gateway has no disk checks', () => {
    const source: DiagnosedSource = {
      ...aDiagnosedNode(),
      type: 'pbs',
      calls: {
        listCallsPerMinute: 6,
        probeCallsPerMinute: 0,
        slowCallsPerMinute: 0,
        deferredCalls: 0,
        nodes: [],
        budget: { listCallsPerMinute: 30, probeCallsPerMinute: 0 },
        parts: [],
      },
    }
    render(<SourceCard source={source} />)
    expect(screen.queryAllByRole('heading', { level: 4 })).toEqual([])
    expect(facts()).toContain('API calls6 in the last minute')
  })
})

describe('rights in words', () => {
  test('all of them', () => {
    show({ rights: { missing: [], advice: [] } })
    expect(screen.getByText('The account has all required permissions.')).toBeDefined()
  })

  test('what is missing, what to do about it first', () => {
    const missing = ['Datastore.Allocate is missing on /storage', 'Something new is missing']
    const advice = [
      'The token may not read backups: give it PVEDatastoreAdmin on /storage',
      'Something new is missing',
    ]
    show({ rights: { missing, advice } })
    expect(items('Missing rights')).toEqual([[advice[0], missing[0]], [advice[1]]])
  })

  test('unknown while it does not answer', () => {
    show({ connected: false })
    expect(screen.queryByText(/right/)).toBeNull()
  })
})

describe('API calls', () => {
  const calls = {
    listCallsPerMinute: 1,
    probeCallsPerMinute: 30,
    slowCallsPerMinute: 0,
    deferredCalls: 4,
    nodes: [
      {
        node: 'pve1',
        listCallsPerMinute: 2,
        probeCallsPerMinute: 15,
        slowCallsPerMinute: 2,
        deferredCalls: 0,
      },
    ],
    budget: { listCallsPerMinute: 14, probeCallsPerMinute: 40 },
    parts: [{ part: 'listing', callsPerMinute: 6, budgetPerMinute: 6 }],
  }

  test('of the connection and of each node', () => {
    show({ calls })
    const sum =
      'In the last minute 1 list call, 30 guest probes and 0 slow calls. Deferred since the start: 4'
    expect(screen.getByText(sum)).toBeDefined()
    expect(cells('API calls per node')).toEqual([['pve1', '2', '15', '2', '0']])
  })

  test('and what they may come to, by part', async () => {
    show({ calls })
    expect(screen.getByText('Its budget allows 14 list calls and 40 guest probes a minute')).toBeDefined()
    await open('Per part (1)')
    expect(cells('API calls per part')).toEqual([['listing', '6', '6']])
  })

  test('of many nodes are drawn when they are asked for', async () => {
    const nodes = Array.from({ length: 9 }, (_, index) => ({ ...calls.nodes[0]!, node: `pve${index}` }))
    show({ calls: { ...calls, nodes } })
    expect(screen.queryByRole('table', { name: 'API calls per node' })).toBeNull()
    await open('Per node (9)')
    expect(cells('API calls per node')).toHaveLength(9)
  })
})

describe('VM disks', () => {
  const vmDiskCheck = { vmsFound: 12, vmsWithAgent: 9, vmsWithDiskData: 8 }

  test('counts, the checked VM, and recommendations', () => {
    show({
      vmDiskCheck: {
        ...vmDiskCheck,
        testVMID: 101,
        testVMName: 'web',
        testResult: '2 file systems with figures',
        recommendations: ['Install and start qemu-guest-agent in these guests.'],
      },
    })
    expect(facts().slice(2)).toEqual([
      'VMs12',
      'With guest agent9',
      'With disk figures8',
      'Checked 101 web2 file systems with figures',
    ])
    expect(items('Recommendations')).toEqual([['Install and start qemu-guest-agent in these guests.']])
  })

  test('VMs without figures, each with its reason', async () => {
    const problem = { vmid: 105, name: 'db', status: 'running', issue: 'there is no guest agent' }
    show({ vmDiskCheck: { ...vmDiskCheck, problematicVMs: [problem] } })
    await open('VMs without disk figures (1)')
    expect(cells('VMs without disk figures')).toEqual([['105', 'db', 'Running', 'there is no guest agent']])
  })

  test('file systems, and why one was left out', async () => {
    const GB = 1024 ** 3
    const filesystemsFound = [
      { mountpoint: '/', type: 'ext4', total: 4 * GB, used: GB, filtered: false },
      { mountpoint: '/snap', type: 'squashfs', total: GB, used: GB, filtered: true, reason: 'read-only' },
    ]
    show({ vmDiskCheck: { ...vmDiskCheck, testVMName: 'web', filesystemsFound } })
    await open('File systems of web (2)')
    expect(cells('File systems')).toEqual([
      ['/', 'ext4', '1 GB of 4 GB', 'Counted'],
      ['/snap', 'squashfs', '1 GB of 1 GB', 'Left out: read-only'],
    ])
  })

  test('absent, nothing is shown', () => {
    show()
    expect([block('VM disks'), block('Physical disks')]).toEqual([null, null])
  })
})

describe('physical disks', () => {
  test('per node, with what went wrong', async () => {
    const nodeResults = [
      { nodeName: 'pve1', diskCount: 2, diskDevices: ['/dev/sda', '/dev/nvme0n1'] },
      { nodeName: 'pve2', diskCount: 0, error: 'may not be read' },
      { nodeName: 'pve3', diskCount: 0 },
    ]
    show({
      physicalDisks: {
        nodesChecked: 3,
        nodesWithDisks: 1,
        totalDisks: 2,
        nodeResults,
        testResult: '2 disks are known',
      },
    })
    expect(facts().slice(2)).toEqual(['Nodes checked3', 'With disks1', 'Disks2', 'Result2 disks are known'])
    await open('Per node (3)')
    expect(cells('Physical disks per node')).toEqual([
      ['pve1', '2', '/dev/sda, /dev/nvme0n1'],
      ['pve2', '0', 'may not be read'],
      ['pve3', '0', '—'],
    ])
  })

  test('that are not watched say so', () => {
    const recommendations = [
      'Physical disks are not monitored: enable them in the settings of this connection.',
    ]
    const nothing = { nodesChecked: 0, nodesWithDisks: 0, totalDisks: 0, nodeResults: [] }
    show({ physicalDisks: { ...nothing, recommendations } })
    expect(items('Recommendations')).toEqual([recommendations])
    expect(facts()).toHaveLength(2)
  })
})
