import type { PhysicalDisk } from '@pulse/contract'
import type { Connection } from '@pulse/domain'
import { expect, test, type TestContext } from 'vitest'
import { otherCallsPerMinute, type CallShare } from '../../polling/call-budget.ts'
import { given } from './fixtures.ts'
import type { Part } from './part.ts'
import { parts } from './parts.ts'

const sum = (scope: 'perMinute' | 'node' | 'guest', read: (part: Part) => CallShare) =>
  parts.reduce((total, part) => total + (read(part)[scope] ?? 0), 0)

test.each([
  ['in steady state', (part: Part) => part.calls],
  ['while the listing fails', (part: Part) => part.callsUnlisted ?? part.calls],
])('[design 9] %s all parts ask 10 + 4 per node at most, and 2 about each running guest', (_when, calls) => {
  expect(sum('perMinute', calls) + otherCallsPerMinute).toBeLessThanOrEqual(10)
  expect(sum('node', calls)).toBeLessThanOrEqual(4)
  expect(sum('guest', calls)).toBeLessThanOrEqual(2)
})

test('parts have names of their own, and each kind of record comes from one of them', () => {
  const names = parts.map(({ name }) => name)
  const kinds = parts.flatMap(({ kinds = [] }) => kinds)
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(kinds).size).toBe(kinds.length)
})

/** A new part that replaces the one with this kind. */
function diskPart() {
  const disks = new Map<string, PhysicalDisk>()
  const left: unknown[] = []
  const defect = { on: false }
  const part: Part = {
    name: 'disks',
    flags: ['monitorPhysicalDisks'],
    calls: { node: 0.3 },
    kinds: ['physicalDisks'],
    rights: [{ path: '/nodes', rights: ['Sys.Audit'], called: 'Sys.Audit', dark: 'disks stay unknown' }],
    start: () => ({
      node: ({ name }, ask) => ({
        loops: [
          {
            name: 'disks',
            intervalMs: 120_000,
            async run(signal) {
              const { data, at } = await ask('/disks/list', signal)
              for (const { devpath } of data as { devpath: string }[])
                disks.set(`c1:${name}:${devpath}`, aDisk(name, devpath))
              return at
            },
          },
        ],
        async stop() {
          if (defect.on) throw new Error('a defect of its end')
        },
      }),
      records() {
        if (defect.on) throw new Error('a defect of the part')
        return { physicalDisks: new Map(disks) }
      },
      forget: (gone) => void left.push(gone),
      stop: () => disks.clear(),
    }),
  }
  return { part, left, defect }
}

const others = parts.filter(({ kinds = [] }) => !kinds.includes('physicalDisks'))

const aDisk = (node: string, devPath: string): PhysicalDisk => ({
  id: `main-${node}-${devPath}`,
  instance: 'main',
  node,
  devPath,
  model: '',
  serial: '',
  type: 'other',
  size: 0,
  health: 'UNKNOWN',
  wearout: -1,
  temperature: 0,
  rpm: 0,
  used: '',
  lastChecked: '2026-01-01T12:00:00Z',
  source: 'c1',
})

async function watched(context: TestContext, flags: Connection['flags']) {
  const { part, ...handles } = diskPart()
  const here = await given(context, { nodes: 2, guests: 4, factor: 40, parts: [...others, part] })
  const collector = here.start({ flags })
  await here.until('the whole picture', here.isComplete, 20)
  const asked = () => here.lab.requests({ path: '/nodes/*/disks/list' }).total
  return { ...here, ...handles, collector, asked }
}

test.concurrent(
  '[design 13] one more part is a file: it is polled, published, paid for and shown as the others are',
  async (context) => {
    const {
      lab,
      collector,
      until,
      records,
      state,
      asked,
      test: testConnection,
    } = await watched(context, {
      monitorPhysicalDisks: true,
    })
    await until('its records', () => new Set(records('physicalDisks').map(({ node }) => node)).size === 2, 20)
    expect(asked()).toBe(2)
    const calls = collector.calls()
    expect(calls.parts).toContainEqual({ part: 'disks', callsPerMinute: 2, budgetPerMinute: 0.6 })
    expect(calls.budget.listCallsPerMinute).toBeLessThanOrEqual(10 + 4 * 2)
    lab.control.patchToken(lab.credentials.tokenId, { drop: ['Sys.Audit'] })
    expect((await testConnection()).warnings).toContain('Sys.Audit is missing on /nodes: disks stay unknown')
    expect(state().health).toBe('healthy')
  },
)

test.concurrent(
  '[design 13] a part is switched off by its flag, with its share and all its records, and on again',
  async (context) => {
    const { collector, until, pass, records, asked } = await watched(context, {})
    const shares = () => collector.calls().parts.map(({ part }) => part)
    await pass(10)
    expect([asked(), records('physicalDisks'), shares().includes('disks')]).toEqual([0, [], false])
    const without = collector.calls().budget.listCallsPerMinute
    collector.apply({ name: 'main', flags: { monitorPhysicalDisks: true } })
    await until('its records', () => records('physicalDisks').length > 0, 20)
    expect(shares()).toContain('disks')
    collector.apply({ name: 'main', flags: { monitorStorage: false } })
    await until('their end', () => records('physicalDisks').length === 0, 5)
    expect(shares()).not.toContain('disks')
    expect(collector.calls().budget.listCallsPerMinute).toBeLessThan(without)
  },
)

test.concurrent(
  '[R19] a part that is refused, answered with rubbish, or throws, fails alone and keeps its records',
  async (context) => {
    const { lab, collector, until, pass, records, state, defect, logLines } = await watched(context, {
      monitorPhysicalDisks: true,
    })
    await until('its records', () => records('physicalDisks').length > 0, 20)
    const known = records('physicalDisks').length
    lab.control.addFault({ kind: 'status', status: 403, path: '/nodes/*/disks/list' })
    collector.refresh()
    await until('the refusal is shown', () => /disks\/list/.test(state().error ?? ''), 150)
    lab.control.clearFaults()
    lab.control.addFault({ kind: 'broken-json', path: '/nodes/*/disks/list' })
    defect.on = true
    await pass(30)
    const { cycles } = collector.totals()
    await pass(30)
    expect(collector.totals().cycles - cycles).toBeGreaterThanOrEqual(2)
    expect(records('physicalDisks')).toHaveLength(known)
    expect(records('guests').every((guest) => guest.staleSince === undefined)).toBe(true)
    expect(state().health).toBe('healthy')
    expect(logLines.filter((line) => line.includes('a defect of the part'))).toHaveLength(1)
    await collector.stop()
    expect(logLines.filter((line) => line.includes('a defect of its end'))).toHaveLength(2)
  },
)

test.concurrent('[design 13] a part is notified of removed guests', async (context) => {
  const { lab, until, left } = await watched(context, { monitorPhysicalDisks: true })
  const { vmid } = lab.control.guests().find((guest) => !guest.template)!
  lab.control.deleteGuest(vmid)
  await until('that it left', () => left.length > 0, 100)
  expect(left).toEqual([{ vmid }])
})
