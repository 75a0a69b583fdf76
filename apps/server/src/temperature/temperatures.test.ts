import type { Node, NodeConfig } from '@pulse/contract'
import { hasSshd, type SensorsHost, sensorsRecordings, startSensorsHost } from '@pulse/lab'
import { aMeta, aNode } from '@pulse/testkit'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TemperatureNodeRow } from '../db/schema.ts'
import { realClock } from '../edges.ts'
import { createState, type State } from '../state/state.ts'
import { registerMessages } from './show.ts'
import { type TemperatureArea, createTemperatures } from './temperatures.ts'
import { type FixedSwitches, noSwitches } from './fixed.ts'
import { type Sandbox, sandbox } from './fixtures-sandbox.ts'
import { sshLimits } from './ssh.ts'
import { within } from '../../../../scripts/test-limits.ts'

const connection = (change: Partial<NodeConfig>): NodeConfig => ({
  id: 'c1',
  type: 'pve',
  name: 'main',
  host: 'https://127.88.0.1:8006',
  hasPassword: false,
  hasToken: true,
  verifySSL: true,
  status: 'connected',
  ...change,
})
const member = (NodeName: string, IP: string) => ({
  NodeID: '1',
  NodeName,
  IP,
  Host: `https://${IP}:8006`,
  Online: true,
})

let host: SensorsHost
let box: Sandbox
let dataDir: string
let rows: Map<string, TemperatureNodeRow>
let connections: NodeConfig[]
let nodes: Node[]
let fixed: FixedSwitches
let area: TemperatureArea
let state: State
/** Milliseconds skipped only for the area. */
let skippedMs: number
/** The speed-up factor of a run's time limit. */
let haste: number

const clock = {
  now: () => realClock.now() + skippedMs,
  monotonic: () => realClock.monotonic() + skippedMs,
  // Shortens pauses, but not limits: a slow run on a busy machine would look like a hanging host.
  after: (ms: number, run: () => void) => realClock.after(ms > 29_000 ? ms / 20 : ms / haste, run),
}

const open = () => {
  state = createState(aMeta())
  area = createTemperatures({
    state,
    store: {
      all: () => Promise.resolve([...rows.values()]),
      put: (row) => Promise.resolve(void rows.set(row.node, row)),
      remove: ({ node }) => Promise.resolve(void rows.delete(node)),
    },
    dataDir,
    connections: () => connections,
    stateNodes: () => nodes,
    fixed,
    record: () => Promise.resolve(),
    clock,
    log: pino({ level: 'silent' }),
    onWrite: () => {},
    user: host.user,
  })
}

beforeEach(async () => {
  if (!hasSshd()) return
  skippedMs = 0
  haste = 1
  host = await startSensorsHost('127.88.0.1')
  box = sandbox()
  box.sensors(`cat <<'END'\n${sensorsRecordings.intel}END`)
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-temperature-'))
  rows = new Map()
  nodes = []
  fixed = noSwitches
  connections = [connection({ clusterEndpoints: [member('pve1', '127.88.0.1'), member('pve2', '')] })]
  open()
})
afterEach(async () => {
  if (!hasSshd()) return
  await area.stop()
  await host.close()
  box.remove()
  fs.rmSync(dataDir, { recursive: true, force: true })
})

async function setUp() {
  await area.change('c1', 'pve1', { enabled: true, port: host.port })
  box.run(await area.setup([]))
  host.authorize(box.authorizedKeys())
}
const pve1 = () => area.nodes().find(({ node }) => node === 'pve1')!
const connectionsSeen = () =>
  host
    .log()
    .split('\n')
    .filter((line) => line.startsWith('Connection from')).length
const temperature = () => state.tables.nodeSensors.get('c1:pve1')?.temperature

describe.skipIf(!hasSshd())('temperatures over SSH (skipped where there is no sshd)', () => {
  test('switched on, set up and checked: a reading is there, and comes again', async () => {
    await setUp()
    expect(pve1()).toMatchObject({ enabled: true, status: 'not_set_up' })
    expect(temperature()).toBeUndefined()
    const { success, message, nodes } = await area.check()
    expect({ success, message, nodes }).toEqual({
      success: true,
      message: registerMessages.ready,
      nodes: [{ name: 'pve1', ssh_ready: true }],
    })
    expect(temperature()).toMatchObject({ available: true, cpuPackage: 54, cpuMin: 54, cpuMaxRecord: 54 })
    expect(pve1()).toMatchObject({
      status: 'ok',
      hostKeyFingerprint: expect.stringMatching(/^SHA256:/) as string,
    })
    box.sensors(`cat <<'END'\n${sensorsRecordings.amd}END`)
    await expect.poll(() => temperature()?.cpuPackage, { timeout: within(30_000) }).toBe(51.6)
    expect(temperature()).toMatchObject({ cpuMin: 51.6, cpuMaxRecord: 54 })
  })

  test('it goes on after a restart', async () => {
    await setUp()
    await area.check()
    await area.stop()
    open()
    expect(temperature()).toBeUndefined()
    await area.start()
    await expect.poll(() => temperature()?.cpuPackage, { timeout: within(30_000) }).toBe(54)
  })

  test('[N 3] a process that does not lead asks no node and deletes none, whatever others store, until it leads', async () => {
    await setUp()
    await area.check()
    await area.stop()
    const contacts = connectionsSeen()
    const foreign = { ...rows.get('pve1')!, connection_id: 'added a moment ago', node: 'pve2' }
    rows.set('pve2', foreign)
    open()
    await area.runExclusive(() => area.reload())
    expect([...rows.keys()]).toEqual(['pve1', 'pve2'])
    expect(pve1().enabled).toBe(false)
    expect([temperature(), connectionsSeen()]).toEqual([undefined, contacts])
    await area.start()
    await expect.poll(() => temperature()?.cpuPackage, { timeout: within(30_000) }).toBe(54)
  })

  test('off by default: no key, no connection, no node to check', async () => {
    await area.start()
    expect(area.publicKey()).toBeUndefined()
    expect(await area.check()).toEqual({ success: false, message: registerMessages.none, nodes: [] })
    expect(area.nodes().map(({ node, status }) => [node, status])).toEqual([
      ['pve1', 'off'],
      ['pve2', 'off'],
    ])
    expect(fs.readdirSync(dataDir)).toEqual([])
    expect(connectionsSeen()).toBe(0)
  })

  test('a node that is no member is refused before any connection', async () => {
    await expect(area.change('c1', 'pve9', { enabled: true, port: host.port })).rejects.toThrow(
      'node of that name',
    )
    await expect(area.change('c9', 'pve1', { enabled: true, port: host.port })).rejects.toThrow(
      'node of that name',
    )
    await setUp()
    connections = [connection({ clusterEndpoints: [member('pve7', '127.88.0.1')] })]
    expect((await area.check()).nodes).toEqual([])
    expect(connectionsSeen()).toBe(0)
  })

  test('a member without an address of its own is not asked at the shared one', async () => {
    await area.change('c1', 'pve2', { enabled: true, port: host.port })
    expect((await area.check()).nodes).toEqual([
      { name: 'pve2', ssh_ready: false, error: 'pve2: its address is not known yet' },
    ])
    expect(connectionsSeen()).toBe(0)
  })

  test('a host in no cluster is asked at the address that was typed', async () => {
    connections = [connection({})]
    nodes = [aNode({ node: 'pve1', source: 'c1' })]
    await setUp()
    expect((await area.check()).success).toBe(true)
  })

  test('a node that was not prepared is recognized, and its host key is not stored', async () => {
    await setUp()
    host.authorize('')
    const { success, message, nodes } = await area.check()
    expect({ success, message }).toEqual({ success: false, message: registerMessages.some })
    expect(nodes[0]!.error).toContain('refused the key')
    expect(pve1().status).toBe('not_set_up')
    expect(rows.get('pve1')!.host_key).toBeNull()
  })

  test('another host key is refused until an administrator switches off and on', async () => {
    await setUp()
    await area.check()
    await host.renewHostKey()
    expect((await area.check()).nodes[0]!.error).toContain('host key is not the one that was stored')
    await area.change('c1', 'pve1', { enabled: false })
    expect(temperature()).toBeUndefined()
    await area.change('c1', 'pve1', { enabled: true, port: host.port })
    expect((await area.check()).success).toBe(true)
  })

  test('output without end is cut', async () => {
    await setUp()
    box.sensors('exec yes')
    const { nodes } = await area.check()
    expect(nodes[0]!.error).toBe(`pve1: sent more than ${sshLimits.maxBytes / 1024} KB`)
  })

  test('a helper that hangs is cut', async () => {
    await setUp()
    box.sensors('exec sleep 20')
    haste = 10
    expect((await area.check()).nodes[0]!.error).toBe('pve1: did not answer within 10 s')
  })

  test('something else than readings is no reading', async () => {
    await setUp()
    box.sensors('echo "<script>"; exit 3')
    expect((await area.check()).nodes[0]!.error).toBe('pve1: its temperature helper failed')
    box.sensors('echo "<script>"')
    expect((await area.check()).nodes[0]!.error).toContain('printed no valid readings')
  })

  test('a connection that is removed takes its nodes along', async () => {
    await setUp()
    await area.check()
    connections = []
    await expect.poll(() => rows.size, { timeout: within(30_000) }).toBe(0)
    expect(area.publicKey()).toBeUndefined()
    expect(fs.readdirSync(path.join(dataDir, 'temperature'))).toEqual(['id_ed25519', 'id_ed25519.pub'])
  })

  test('the key is for its owner alone', async () => {
    await setUp()
    const folder = path.join(dataDir, 'temperature')
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700)
    expect(fs.statSync(path.join(folder, 'id_ed25519')).mode & 0o777).toBe(0o600)
    expect(area.publicKey()).toMatch(/^ssh-ed25519 \S{68} pulse-sensors$/)
  })
})

test.skipIf(!hasSshd())('of more nodes than there can be none is switched on', async () => {
  for (let n = 0; n < 1_000; n++) {
    rows.set(`made-up-${n}`, {
      connection_id: 'c1',
      node: `made-up-${n}`,
      port: 22,
      host_key: null,
      created_at: n,
    })
  }
  await area.start()
  await expect(area.change('c1', 'pve1', { enabled: true })).rejects.toThrow(
    'of 1000 nodes is enabled, which is the limit',
  )
})
