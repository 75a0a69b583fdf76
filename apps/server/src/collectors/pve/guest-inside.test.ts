import { expect, test } from 'vitest'
import { given } from './fixtures.ts'

const freebsd = 118
const paused = 119

test.concurrent(
  "[facts 1.9] FreeBSD shows what its agent gives, and file systems as what the agent can't tell",
  async (context) => {
    const { lab, start, until, guest, pass } = await given(context, { nodes: 1, guests: 20, factor: 60 })
    lab.control.patchGuest(freebsd, { filesystems: 'unsupported' })
    start()
    await until('the system', () => guest(freebsd)?.osName !== undefined, 200)
    expect(guest(freebsd)).toMatchObject({
      osName: 'FreeBSD',
      osVersion: '14.2-RELEASE-p3',
      networkInterfaces: [expect.objectContaining({ name: 'vtnet0' })],
      diskStatusReason: 'agent-unsupported',
    })
    expect(guest(freebsd)!.ipAddresses).toHaveLength(1)
    expect(guest(freebsd)!.memory).not.toHaveProperty('estimate')
    const asked = () => lab.requests({ path: `/nodes/*/qemu/${freebsd}/agent/file-read` }).total
    const before = asked()
    await pass(240)
    expect(asked()).toBe(before)
  },
)

test.concurrent(
  'a paused VM is found out by its first questions, keeps its memory, and its agent is left alone',
  async (context) => {
    const { lab, start, until, guest, pass } = await given(context, { nodes: 1, guests: 20, factor: 60 })
    start()
    await until('it is seen', () => guest(paused)?.status === 'paused', 40)
    expect(guest(paused)).toMatchObject({ cpu: 0, diskStatusReason: 'vm-paused' })
    expect(guest(paused)!.memory!.used).toBeGreaterThan(0)
    lab.control.resetRequests()
    await pass(120)
    expect(lab.requests({ path: `/nodes/*/qemu/${paused}/agent/*` }).total).toBe(0)

    lab.control.patchGuest(paused, { status: 'running' })
    await until('it runs again', () => guest(paused)?.status === 'running', 60)
    await until('its agent answers', () => (guest(paused)?.disks?.length ?? 0) > 0, 100)
  },
)

test.concurrent(
  'a pvestatd that measures every 40 s: nothing that was learned is forgotten between two measurements',
  async (context) => {
    const { start, until, guest, latest, pass } = await given(context, {
      nodes: 1,
      guests: 12,
      factor: 60,
      loadPeriodMs: 40_000,
    })
    start()
    await until('what its agent tells', () => guest(100)?.osName !== undefined, 200)
    await until('its rates', () => guest(100)?.networkIn !== undefined, 90)
    const startedAt = guest(100)!.startedAt!
    for (let seen: unknown, looks = 0; looks < 12;) {
      await pass(2)
      if (seen === latest()) continue
      seen = latest()
      looks++
      const now = guest(100)!
      expect(now).toMatchObject({ osName: 'Debian GNU/Linux', ipAddresses: expect.any(Array) as unknown })
      expect(now).toHaveProperty('networkIn')
      expect(now.memory).not.toHaveProperty('estimate')
      expect(now).not.toHaveProperty('diskStatusReason')
      expect(startedAt - now.startedAt!).toBeGreaterThanOrEqual(0)
      expect(startedAt - now.startedAt!).toBeLessThanOrEqual(45_000)
    }
  },
)
