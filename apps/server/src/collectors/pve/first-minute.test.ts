import { expect, test } from 'vitest'
import { given } from './fixtures.ts'

test('[design 9] at 500 guests every agent has reported memory within a minute, by two calls a guest at most', async (context) => {
  const { lab, start, until, guest, clock } = await given(context, { nodes: 2, guests: 500, factor: 20 })
  const all = lab.control.guests()
  // Rocky's agent does not allow file reads, and other systems have no /proc/meminfo.
  const reporting = all.filter(
    ({ kind, status, agent, lock, os, filesystems }) =>
      kind === 'qemu' &&
      status === 'running' &&
      agent === 'running' &&
      lock === undefined &&
      !/Windows|FreeBSD|Rocky/.test(os) &&
      filesystems !== 'old-agent',
  )
  const locked = all.filter(({ lock, status }) => lock !== undefined && status === 'running')
  expect(reporting.length).toBeGreaterThan(150)
  expect(locked.length).toBeGreaterThan(1)
  const startedAt = clock.monotonic()
  const collector = start()
  await until('the first picture', () => reporting.every(({ vmid }) => guest(vmid)), 10)
  const pending = reporting.filter(({ vmid }) => guest(vmid)!.memory?.estimate === 'agent-pending')
  expect(pending.length).toBeGreaterThan(reporting.length / 2)

  const byAgent = () =>
    new Set(collector.memory!().flatMap(({ vmid, source }) => (source === 'agent' && vmid ? [vmid] : [])))
  await until('the memory of all', () => reporting.every(({ vmid }) => byAgent().has(vmid)), 55)
  await until('none is pending', () => reporting.every(({ vmid }) => !guest(vmid)?.memory?.estimate), 15)
  expect(clock.monotonic() - startedAt).toBeLessThan(75_000)
  for (const { vmid, kind } of all) {
    const snapshots = lab.requests({ path: `/nodes/*/${kind}/${vmid}/snapshot` }).total
    const calls = lab.requests({ path: `/nodes/*/${kind}/${vmid}/*` }).total - snapshots
    expect(calls, `${kind} ${vmid}`).toBeLessThanOrEqual(locked.some((one) => one.vmid === vmid) ? 0 : 3)
  }
  for (const inFlight of Object.values(lab.requests().maxInFlight)) expect(inFlight).toBeLessThanOrEqual(8)
  await until('the addresses', () => reporting.every(({ vmid }) => guest(vmid)?.ipAddresses?.length), 75)
})
