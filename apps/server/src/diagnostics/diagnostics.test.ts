import type { NodeConfig, TemperatureNode, VersionInfo } from '@pulse/contract'
import { aGuest, fakeClock } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { AppError } from '../app-error.ts'
import { createState } from '../state/state.ts'
import { adviceOn } from '../connections/advice.ts'
import type { ConnectionArea } from '../connections/connections.ts'
import { diagnoseConnections } from '../connections/diagnose.ts'
import { diagnoseSelf } from '../self/index.ts'
import { diagnoseTemperatures } from '../temperature/index.ts'
import { createDiagnostics } from './diagnostics.ts'
import { checkPhysicalDisks, checkVmDisks } from '../connections/disk-check.ts'

const version = { version: '1.0.0', runtime: 'node 26' } as VersionInfo
const meta = { notices: [] } as unknown as Parameters<typeof createState>[0]

const connection = (id: string): NodeConfig => ({
  id,
  type: 'pve',
  name: id,
  host: 'https://127.0.0.1:8006',
  hasPassword: false,
  hasToken: true,
  verifySSL: true,
  status: 'connected',
})

const noNodes: readonly Partial<TemperatureNode>[] = []

function given(count: number, test: (id: string) => Promise<never>, temperatures = noNodes) {
  const clock = fakeClock()
  const list = Array.from({ length: count }, (_, n) => connection(`pve-${n}`))
  const asked: string[] = []
  const state = createState(meta)
  const connections = {
    list: () => list,
    calls: () => ({}),
    running: () => [],
    testStored(id: string) {
      asked.push(id)
      return test(id)
    },
  } as unknown as ConnectionArea
  const temperature = { nodes: () => temperatures as TemperatureNode[], publicKey: () => undefined }
  const area = createDiagnostics(
    [
      {
        name: 'the process',
        diagnose: () => diagnoseSelf({ state, version, upSince: clock.monotonic(), clock }),
      },
      { name: 'connections', diagnose: () => diagnoseConnections({ connections, state, clock }) },
      { name: 'temperatures', diagnose: () => diagnoseTemperatures(temperature) },
      { name: 'another' },
    ],
    clock,
    () => {},
  )
  return { area, clock, asked }
}

describe('[facts/platform 13] a run', () => {
  test('in which a part fails has all others, and its errors name that part', async () => {
    const fails = {
      name: 'the cluster',
      diagnose: () => Promise.reject(new RangeError('Invalid time value')),
    }
    const throws = {
      name: 'connections',
      diagnose() {
        throw new Error('no such thing')
      },
    }
    const works = { name: 'alerts', diagnose: () => ({ notes: ['a note'], errors: ['an error'] }) }
    const failed: string[] = []
    const onFault = (error: unknown, area: string) => void failed.push(`${area}: ${String(error)}`)
    const { result } = await createDiagnostics([fails, throws, works], fakeClock(), onFault).run()
    expect(result).toMatchObject({
      notes: ['a note'],
      errors: [
        'The diagnostics of the cluster failed: Invalid time value',
        'The diagnostics of connections failed: no such thing',
        'an error',
      ],
      nodes: [],
      pbs: [],
      apiTokens: { tokens: [] },
    })
    expect(failed).toEqual([
      'connections: Error: no such thing',
      'the cluster: RangeError: Invalid time value',
    ])
    expect(result.processes).toBeUndefined()
  })

  test('ends within 30 seconds whatever the sources do, and says who was not asked', async () => {
    const { area, clock, asked } = given(20, () => new Promise<never>(() => {}))
    const running = area.run()
    await clock.advance(30_000)
    const { result } = await running
    expect(asked).toHaveLength(8)
    expect(result.nodes).toHaveLength(20)
    for (const node of result.nodes) {
      expect(node).toMatchObject({ connected: false, error: 'not tested: the run took too long' })
    }
    expect(result.errors).toEqual(['20 connections were not tested, because the run took too long.'])
  })

  test('asks every source, some at a time, and tells each failure', async () => {
    const { area, asked } = given(20, (id) =>
      Promise.reject(new AppError('connection_test_failed', `${id}: no`)),
    )
    const { result } = await area.run()
    expect(asked).toHaveLength(20)
    expect(result.nodes.map(({ error }) => error)).toEqual(result.nodes.map(({ id }) => `${id}: no`))
  })

  test('a defect of ours is no finding about a source, and does not block the next run', async () => {
    const { area, asked } = given(1, () => Promise.reject(new Error('defect')))
    for (const runs of [1, 2]) {
      const { result } = await area.run()
      expect(result.errors).toEqual(['The diagnostics of connections failed: defect'])
      expect([result.nodes, asked.length]).toEqual([[], runs])
    }
  })
})

test('how the temperatures are doing stands in it', async () => {
  const { area } = given(0, () => Promise.reject(new Error('no source is asked')), [
    { node: 'pve1', enabled: true, status: 'ok' },
    { node: 'pve2', enabled: true, status: 'paused', error: 'refused the key' },
    { node: 'pve3', enabled: false, status: 'off' },
  ])
  const { result } = await area.run()
  expect(result.temperatures).toHaveLength(3)
  expect(result.temperatureProxy.notes).toContain(
    '1 of 2 nodes with temperatures switched on cannot be read.',
  )
})

describe('[spec 2 §3] the check of VM disks', () => {
  test('counts what is known and says what to do', () => {
    const disk = { mountpoint: '/', type: 'ext4', total: 10, used: 4, free: 6, usage: 40 }
    const check = checkVmDisks(
      [
        aGuest({ vmid: 100, disks: [disk] }),
        aGuest({ vmid: 101, diskStatusReason: 'agent-not-running' }),
        aGuest({ vmid: 102, diskStatusReason: 'agent-disabled' }),
        aGuest({ vmid: 103, status: 'stopped', diskStatusReason: 'vm-stopped' }),
        aGuest({ vmid: 104, type: 'lxc' }),
      ],
      ['VM.GuestAgent.Audit is missing', 'Datastore.Allocate is missing'],
    )
    expect(check).toMatchObject({
      vmsFound: 4,
      vmsWithAgent: 2,
      vmsWithDiskData: 1,
      testVMID: 100,
      testResult: '1 file system with figures',
      permissions: ['VM.GuestAgent.Audit is missing'],
      filesystemsFound: [{ mountpoint: '/', type: 'ext4', total: 10, used: 4, filtered: false }],
    })
    expect(check.problematicVMs!.map(({ vmid }) => vmid)).toEqual([101, 102])
    expect(check.recommendations).toHaveLength(2)
  })

  test('a guest that was not asked yet is not said to have an agent', () => {
    const check = checkVmDisks(
      [aGuest({ vmid: 100 }), aGuest({ vmid: 101, diskStatusReason: 'no-data' })],
      [],
    )
    expect(check).toMatchObject({ vmsFound: 2, vmsWithAgent: 0, vmsWithDiskData: 0 })
  })

  test('nodes whose disks were never read are not called checked', () => {
    expect(checkPhysicalDisks({ ...connection('c'), monitorPhysicalDisks: true }, [])).toBeUndefined()
  })

  test('of physical disks it says when they are not watched', () => {
    expect(checkPhysicalDisks(connection('c'), [])!.recommendations![0]).toContain('not monitored')
  })
})

test.each([
  [
    'Datastore.Allocate is missing on /storage: backup files will not be listed',
    'The token may not read backups: give it PVEDatastoreAdmin on /storage',
  ],
  [
    'Sys.Audit is missing on /nodes: node figures stay unknown',
    'The token may not read the nodes: give it PVEAuditor on /',
  ],
  ['Something new is missing', 'Something new is missing'],
])('%s', (missing, advice) => {
  expect(adviceOn([missing], { hasToken: true })).toEqual([advice])
})
