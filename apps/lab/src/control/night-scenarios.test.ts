import { expect, test } from 'vitest'
import { aLab } from '../fixtures.ts'
import type { LabOptions } from '../options.ts'

const minuteMs = 60_000

/** A lab with a fake clock and fake timers. */
async function aNight(options: LabOptions = {}) {
  const startMs = Date.parse('2026-07-01T22:00:00Z')
  let now = startMs
  const timers = new Set<{ at: number; run: () => void }>()
  const given = await aLab({
    ...options,
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
  })
  const untilQuiet = () => new Promise<void>((resolve) => void setImmediate(resolve))
  async function pass(ms: number): Promise<void> {
    const until = now + ms
    for (;;) {
      const [next] = [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
      if (!next) break
      timers.delete(next)
      now = Math.max(now, next.at)
      next.run()
      await untilQuiet()
    }
    now = until
  }
  return { ...given, pass }
}

const statusOf = ({ vmid, status, lock, node }: Record<'vmid' | 'status' | 'lock' | 'node', unknown>) =>
  `${String(vmid)} ${String(status)} ${String(lock)} ${String(node)}`

test('a night of backups locks each guest once, one at a time on a node, and restores its state', async () => {
  const { lab, pass } = await aNight({ nodes: 2, guests: 40 })
  const before = lab.control.guests().map(statusOf)
  const free = lab.control.guests().filter(({ lock, template }) => lock === undefined && !template)
  const locked = new Map<number, Set<string>>()
  await lab.control.play('backup-night')
  for (let seconds = 0; seconds < 45 * 60; seconds += 5) {
    await pass(5_000)
    const now = lab.control
      .guests()
      .filter(({ lock, vmid }) => lock === 'backup' && ![116, 126].includes(vmid))
    expect(now.length).toBeLessThanOrEqual(2)
    for (const { vmid, status } of now) locked.set(vmid, (locked.get(vmid) ?? new Set()).add(status))
  }
  expect([...locked.keys()].toSorted()).toEqual(free.map(({ vmid }) => vmid).toSorted())
  // a VM and a container that are stopped during their backup, and a VM that was already stopped
  expect([...locked.get(103)!]).toEqual(['stopped', 'running'])
  expect([...locked.get(108)!]).toEqual(['stopped'])
  expect([...locked.get(105)!], '105').toEqual([
    lab.control.guest(105).kind === 'qemu' ? 'paused' : 'stopped',
  ])
  expect(lab.control.guests().map(statusOf)).toEqual(before)
})

test('after a power loss guests of a node are off, except those that start at boot', async () => {
  const { lab, pass } = await aNight({ nodes: 3, guests: 60 })
  const running = () =>
    lab.control.guests().filter(({ node, status }) => node === 'pve1' && status !== 'stopped')
  const ran = running().length
  await lab.control.play('first-node-reboots')
  await pass(0)
  expect([lab.clusters[0]!.nodes[0]!.online, running().length]).toEqual([false, 0])
  await pass(4 * minuteMs)
  await expect.poll(() => lab.clusters[0]!.nodes[0]!.online).toBe(true)
  await pass(2 * minuteMs)
  expect(running().length).toBeGreaterThan(ran / 2)
  expect(running().length).toBeLessThan(ran)
})

test('a migration wave empties the second node, and locks every guest while it moves', async () => {
  const { lab, pass } = await aNight({ nodes: 3, guests: 30 })
  const isLocked = ({ lock }: { lock?: string | undefined }) => lock === 'migrate'
  const before = lab.control.guests().filter(isLocked).length
  await lab.control.play('migration-wave')
  await pass(1_000)
  expect(lab.control.guests().filter(isLocked)).toHaveLength(before + 1)
  await pass(10 * minuteMs)
  const left = lab.control.guests().filter(({ node, template }) => node === 'pve2' && !template)
  // an administrator has locked these
  expect(left.every(({ lock }) => lock !== undefined)).toBe(true)
  expect(lab.control.guests().filter(isLocked)).toHaveLength(before)
})

test('a flapping network: eight missed answers, then six outages', async () => {
  const { lab, pass } = await aNight({ pbs: 2, nodes: 1, guests: 0 })
  await lab.control.play('network-flaps')
  /** Eight seconds of every 90 for twelve minutes, then three minutes of every five for half an hour. */
  const isOffline = (second: number) =>
    second < 720 ? second % 90 < 8 : second < 2520 && (second - 720) % 300 < 180
  for (let second = 0; second < 45 * 60; second++) {
    await pass(second === 0 ? 0 : 1_000)
    await expect.poll(() => lab.pbs[1]!.online).toBe(!isOffline(second))
  }
  expect(lab.pbs[0]!.online).toBe(true)
})

test.each(['backup-night', 'first-node-reboots', 'last-node-reboots', 'network-flaps', 'migration-wave'])(
  'a reset restores what it interrupts: %s',
  async (name) => {
    const { lab, pass } = await aNight({ nodes: 3, guests: 30, pbs: 2 })
    const now = () => [
      lab.control.guests().map(statusOf),
      lab.clusters[0]!.nodes.map(({ online }) => online),
      lab.pbs.map(({ online }) => online),
    ]
    const before = now()
    await lab.control.play(name)
    await pass(1_000)
    expect(now()).not.toEqual(before)
    await lab.control.reset()
    const after = now()
    expect(after.slice(1)).toEqual(before.slice(1))
    // A running migration completes with the reset.
    if (name !== 'migration-wave') expect(after).toEqual(before)
    await pass(60 * minuteMs)
    expect(now()).toEqual(after)
  },
)
