import type { StatePatch } from '@pulse/domain'
import { expect, test } from 'vitest'
import { given } from './fixtures.ts'

const minutes5 = 300_000

test('[R20] after the process stood still for five minutes no source and no record counts as lost, and no call exceeds its share', async (context) => {
  const { lab, start, until, isComplete, pass, logLines, clock, subscribe } = await given(context, {
    nodes: 3,
    guests: 12,
  })
  start()
  await until('the whole picture', isComplete, 60)
  await pass(20)
  const shown: StatePatch[] = []
  subscribe((patch) => void shown.push(patch))
  lab.control.resetRequests()

  clock.suspend(minutes5)
  await pass(12)
  expect(shown.length).toBeGreaterThan(0)
  for (const patch of shown) {
    for (const { health } of patch.sources?.put.values() ?? []) expect(health).toBe('healthy')
    for (const { put } of Object.values(patch))
      for (const record of put.values()) expect('staleSince' in record && record.staleSince).toBeFalsy()
  }
  expect(logLines.join('')).not.toContain('does not answer')
  expect(lab.requests({ path: '/cluster/resources' }).total).toBeLessThanOrEqual(3)
  const probes = ['/nodes/*/qemu/*', '/nodes/*/lxc/*'].map((path) => lab.requests({ path }).total)
  expect(lab.requests().total - probes[0]! - probes[1]!).toBeLessThanOrEqual(10 + 4 * 3)
})

test('[R20] a source that does not answer afterwards counts as lost all the same, as soon as any other', async (context) => {
  const { lab, start, until, isComplete, pass, state, clock } = await given(context, { nodes: 2, guests: 4 })
  start()
  await until('the whole picture', isComplete, 60)
  await pass(12)
  for (const { name } of lab.clusters[0]!.nodes) await lab.control.patchNode(name, { online: false })
  clock.suspend(minutes5)
  await until('it is shown dead', () => state().health === 'error', 30)
})

test.for([7_000, 40_000])(
  '[N 3] a process that stood still for %i ms while it asked a source for the first time does not call it unreachable',
  async (ms, context) => {
    const { lab, start, until, clock, subscribe } = await given(context, { nodes: 2, guests: 4 })
    lab.control.addFault({ kind: 'latency', ms: 150, path: '/cluster/resources', times: 1 })
    const shown: string[] = []
    subscribe((patch) => {
      for (const { health } of patch.sources?.put.values() ?? []) shown.push(health)
    })
    start()
    await until('it is asked', () => lab.requests({ path: '/cluster/resources' }).total > 0, 10)
    clock.suspend(ms)
    await until('it answers', () => shown.includes('healthy'), 30)
    expect(shown).not.toContain('error')
  },
)
