// @vitest-environment happy-dom
import type { Guest } from '@pulse/contract'
import { aGuest, aNode } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import { hasDetails } from '../../parts/guests/guest-panels.tsx'
import { GuestDetails } from './guest-details.tsx'

const GiB = 1024 ** 3
afterEach(cleanup)

const show = (guest: Partial<Guest>, withRates = false) =>
  renderInApp(<GuestDetails id="a" colSpan={11} withRates={withRates} />, {
    live: aLive({ guests: { a: aGuest(guest) } }),
  })

const panel = (title: string) => within(screen.getByRole('heading', { name: title }).parentElement!)
const text = (title: string) => screen.getByRole('heading', { name: title }).parentElement!.textContent

const rich: Partial<Guest> = {
  osName: 'Debian GNU/Linux',
  osVersion: '12 (bookworm)',
  ipAddresses: ['10.0.0.5', 'fe80::1'],
  memory: {
    total: 4 * GiB,
    used: 2 * GiB,
    free: 2 * GiB,
    usage: 50,
    balloon: 3 * GiB,
    swapUsed: GiB,
    swapTotal: 2 * GiB,
  },
  disks: [
    {
      mountpoint: '/',
      device: 'sda1',
      type: 'ext4',
      total: 60 * GiB,
      used: 57 * GiB,
      free: 3 * GiB,
      usage: 95,
    },
    { mountpoint: '/mnt', total: 0, used: 0, free: 0, usage: 0 },
  ],
  networkInterfaces: [
    { name: 'eth0', mac: 'BC:24:11:00:00:01', addresses: ['10.0.0.5/24'], rxBytes: 3 * GiB, txBytes: GiB },
  ],
}

describe('the four panels', () => {
  test('[M 3.6] Guest Overview: when its disk is full, only with a date', async () => {
    const day = 24 * 3_600_000
    const fullAt = Date.now() + 20 * day
    await show({ ...rich, forecast: { fullAt, earliestAt: fullAt - 5 * day, latestAt: fullAt + 5 * day } })
    expect(text('Guest Overview')).toContain('Disk full in20 days · between 15 and 25 days')
    cleanup()
    await show({ ...rich, forecast: { reason: 'flat' } })
    expect(text('Guest Overview')).not.toContain('Disk full in')
  })

  test('[spec 1 §2] Guest Overview: system and addresses', async () => {
    await show(rich)
    expect(text('Guest Overview')).toContain('Debian GNU/Linux 12 (bookworm)')
    expect(
      panel('Guest Overview')
        .getAllByRole('listitem')
        .map((one) => one.textContent),
    ).toEqual(['10.0.0.5', 'fe80::1'])
  })

  test('[spec 1 §2] Memory: balloon and swap', async () => {
    await show(rich)
    expect(text('Memory')).toContain('Used2 GB of 4 GB')
    expect(text('Memory')).toContain('Balloon3 GB')
    expect(text('Memory')).toContain('Swap1 GB of 2 GB')
  })

  test('[spec 1 §2] Filesystems, and [spec 1 §5] one without a size', async () => {
    await show(rich)
    const [root, mnt] = panel('Filesystems').getAllByRole('listitem')
    expect(root!.textContent).toBe('/ sda1 · ext457 GB of 60 GB (95.0%)')
    expect(root!.querySelector<HTMLElement>('.usage-bar')!.style.getPropertyValue('--fill')).toContain('red')
    expect(mnt!.textContent).toContain('usage unavailable')
    expect(mnt!.querySelector('.usage-bar')).toBeNull()
  })

  test('[M 3.5] the guest has its changes in its row', async () => {
    await show({ ...rich, name: '', vmid: 100 })
    const fold = screen.getByText('Changes').closest('details')!
    expect(within(fold).queryByRole('link')).toBeNull()
    fold.open = true
    await act(async () => void fireEvent(fold, new Event('toggle')))
    expect(within(fold).getByRole('link', { name: 'Show all' }).getAttribute('href')).toBe(
      '/proxmox/changes?range=month&kind=guests&id=a',
    )
  })

  test('memory that is an estimate says so, and why', async () => {
    const memory = { total: 4 * GiB, used: GiB, free: 3 * GiB, usage: 25, estimate: 'agent-silent' } as const
    await show({ osName: 'Debian', memory })
    expect(text('Memory')).toBe(
      'MemoryUsed≈ 1 GB of 4 GBAn estimate: the guest agent has not answered for a while, so it may count page cache.',
    )
  })

  test('[spec 1 §2] Network Interfaces: name, MAC, addresses, totals since boot', async () => {
    await show(rich)
    const nic = text('Network Interfaces')
    for (const part of ['eth0', 'BC:24:11:00:00:01', '10.0.0.5/24', 'RX 3 GB', 'TX 1 GB'])
      expect(nic).toContain(part)
    expect(nic).toContain('RX and TX totals are cumulative since boot.')
  })

  test('a phone has the rates here: it has no columns for them', async () => {
    await show({ ...rich, networkIn: 1024 ** 2 }, true)
    expect(text('Guest Overview')).toContain('Net In1 MB/s')
    cleanup()
    await show(rich)
    expect(text('Guest Overview')).not.toContain('Net In')
  })
})

describe('without any details', () => {
  test.each([
    ['qemu', 'Install and run the guest agent in the VM.'],
    ['lxc', 'Start the container and ensure sufficient permissions.'],
  ] as const)('[spec 1 §2] a %s: unavailable, with a hint', async (type, hint) => {
    await show({ type })
    expect(screen.getByText('Guest details unavailable')).toBeDefined()
    expect(screen.getByText(hint)).toBeDefined()
    expect(screen.queryByRole('heading')).toBeNull()
  })

  test('a locked VM whose agent was not heard yet is not asked to install one', async () => {
    const memory = { total: 4, used: 1, free: 3, usage: 25, estimate: 'agent-pending' } as const
    await show({ lock: 'backup', memory })
    expect(screen.getByText('The guest agent is left alone while the VM is locked (backup).')).toBeDefined()
  })

  test('a paused VM is not asked to install an agent', async () => {
    await show({ status: 'paused' })
    expect(screen.getByText('Guest details unavailable')).toBeDefined()
    expect(
      screen.getByText('The VM is paused: its guest agent answers again when it is resumed.'),
    ).toBeDefined()
  })

  test.each([
    [{}, false],
    [{ ipAddresses: [], disks: [], networkInterfaces: [] }, false],
    [{ osName: 'Debian' }, true],
    [{ osVersion: '12' }, true],
    [{ ipAddresses: ['10.0.0.1'] }, true],
    [{ memory: { total: 1, used: 1, free: 0, usage: 100, balloon: 1 } }, true],
    [{ memory: { total: 1, used: 1, free: 0, usage: 100, swapTotal: 1 } }, true],
    [{ disks: rich.disks! }, true],
    [{ networkInterfaces: rich.networkInterfaces! }, true],
  ])('%o are details: %s', (guest, expected) => {
    expect(hasDetails(aGuest(guest))).toBe(expected)
  })
})

test('node, cores, start and the names of tags are there, with an agent or without', async () => {
  const startedAt = new Date(2026, 0, 5, 14, 30).getTime()
  const about = { node: 'pve7', cpus: 2, startedAt, tags: 'prod, web' }
  await show({ ...rich, ...about })
  const shown = /Nodepve7CPU2 coresStartedJan 5, 2026, 2:30\sPMTagsprodweb/
  expect(text('Guest Overview')).toMatch(shown)
  cleanup()
  await show(about)
  expect(screen.getByText('Guest details unavailable')).toBeDefined()
  expect(document.body.textContent).toMatch(shown)
})

test('[spec 1 §9] its last backup has the colour of its age; unknown is a dash', async () => {
  const last = () => screen.getByText('Last backup').nextElementSibling!
  const days = (count: number) => Date.now() - count * 86_400_000
  for (const [count, words, tone] of [
    [1, 'yesterday', 'text-green'],
    [6, '6 days ago', 'text-yellow'],
    [8, 'last week', 'text-orange'],
    [31, 'last month', 'text-red'],
  ] as const) {
    await show({ ...rich, lastBackup: days(count) })
    expect(last().textContent).toBe(words)
    expect(last().querySelector(`.${tone}`), words).not.toBeNull()
    cleanup()
  }
  await show(rich)
  expect(last().textContent).toBe('—')
})

test('loopback is not shown: traffic of a guest with itself is of no interest', async () => {
  await show({
    ...rich,
    ipAddresses: ['127.0.0.1', '10.0.0.5', '::1'],
    networkInterfaces: [{ name: 'lo', addresses: ['127.0.0.1/8'] }, ...rich.networkInterfaces!],
  })
  expect(panel('Guest Overview').getAllByRole('listitem')).toHaveLength(1)
  expect(panel('Network Interfaces').getAllByRole('listitem')[0]!.textContent).toContain('eth0')
})

describe('the details tell the true reason', () => {
  const unknown: Partial<Guest> = { disk: { total: GiB }, disks: [] }
  const install = 'Install and run the guest agent in the VM.'
  const disabled = 'Guest agent is disabled in VM configuration. Enable it in VM Options.'
  const silent = 'Guest agent timeout. Agent may need to be restarted.'
  const stopped = 'The VM is stopped: its file systems and addresses are known while it runs.'
  const locked = 'The guest agent is left alone while the VM is locked (backup).'

  test.each<[string, Partial<Guest>, string]>([
    ['stopped', { status: 'stopped', diskStatusReason: 'vm-stopped' }, stopped],
    ['locked', { lock: 'backup', diskStatusReason: 'agent-timeout' }, locked],
    ['agent off', { diskStatusReason: 'agent-disabled' }, disabled],
    ['agent silent', { diskStatusReason: 'agent-timeout' }, silent],
    ['state unknown', { status: 'unknown' }, 'Proxmox does not report the state of the VM.'],
    ['no agent', { diskStatusReason: 'no-agent' }, install],
  ])('%s', async (_, guest, reason) => {
    await show({ ...unknown, ...guest })
    expect(screen.getByText('Guest details unavailable')).toBeDefined()
    expect(screen.getByText(reason)).toBeDefined()
    expect(screen.queryByText(install) !== null).toBe(reason === install)
  })

  test.each<[string, Partial<Guest>, string]>([
    ['stopped', { status: 'stopped', diskStatusReason: 'vm-stopped' }, stopped],
    ['locked', { lock: 'backup', diskStatusReason: 'agent-timeout' }, locked],
    ['agent silent', { diskStatusReason: 'agent-timeout' }, silent],
  ])('%s, among what else is known', async (_, guest, reason) => {
    await show({ osName: 'Debian', ...unknown, ...guest })
    expect(text('Filesystems')).toContain(reason)
  })

  test('of a node that is offline', async () => {
    const node = aNode({ status: 'offline' })
    const live = aLive({ guests: { a: aGuest(unknown) }, nodes: { n: node } })
    await renderInApp(<GuestDetails id="a" colSpan={11} withRates={false} />, { live })
    expect(
      screen.getByText('Its node is offline: VM details are unavailable until it is back.'),
    ).toBeDefined()
  })
})

describe('a disk whose usage is not known', () => {
  const unknown: Partial<Guest> = { disk: { total: GiB }, disks: [], diskStatusReason: 'agent-disabled' }
  const reason = 'Guest agent is disabled in VM configuration. Enable it in VM Options.'

  test('tells why among the details, where the keyboard and a finger get to', async () => {
    await show({ ...rich, ...unknown })
    expect(text('Filesystems')).toContain(reason)
  })

  test('tells it too where there are no other details', async () => {
    await show(unknown)
    expect(screen.getByText('Guest details unavailable')).toBeDefined()
    expect(screen.getByText(reason)).toBeDefined()
  })

  test('says nothing when the usage is known', async () => {
    await show({ ...rich, diskStatusReason: 'agent-disabled' })
    expect(screen.queryByText(reason)).toBeNull()
  })
})

test('[M 3.1] shows the history of the guest', async () => {
  await show({ name: 'web' })
  expect(await screen.findByRole('group', { name: 'History of web' })).toBeDefined()
})

test('a tag or an address that is reported twice is shown twice, and mixes up nothing', async () => {
  const errors = vi.spyOn(console, 'error')
  const networkInterfaces = [
    { name: 'eth0', addresses: ['10.0.0.5/24', '10.0.0.5/24'], rxBytes: 1, txBytes: 1 },
  ]
  await show({ tags: 'web,web', ipAddresses: ['10.0.0.5', '10.0.0.5'], networkInterfaces })
  expect(text('Guest Overview')).toContain('Tagswebweb')
  expect(errors).not.toHaveBeenCalled()
})
