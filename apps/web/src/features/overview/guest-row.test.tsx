// @vitest-environment happy-dom
import { aGuest, aNode, anAlert } from '@pulse/testkit'
import { act, cleanup, screen, within } from '@testing-library/react'
import { Profiler, type ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import type { AlertLevels } from '../../parts/alerts/alert-levels.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import type { GuestLinks } from '../../parts/nodes/guest-links.ts'
import { guestColumns } from './columns.tsx'
import { GuestRow } from './guest-table.tsx'

const noLinks: GuestLinks = {}
const noAlerts: AlertLevels = new Map()
const renders = new Map<string, number>()

interface GivenProps {
  links?: GuestLinks
  alerts?: AlertLevels
  phone?: boolean
}

async function given(
  live: ReturnType<typeof aLive>,
  { links = noLinks, alerts = noAlerts, phone = false }: GivenProps = {},
) {
  const row = (id: string): ReactNode => (
    <Profiler key={id} id={id} onRender={() => renders.set(id, (renders.get(id) ?? 0) + 1)}>
      <div role="row" aria-label={id}>
        <GuestRow
          columns={guestColumns}
          id={id}
          links={links}
          alerts={alerts}
          expanded={false}
          indented
          phone={phone}
          tabIndex={0}
        />
      </div>
    </Profiler>
  )
  await renderInApp(<div role="grid">{live.store.ids('guests').map(row)}</div>, { live })
  renders.clear()
  return live
}

const row = (id: string) => within(screen.getByRole('row', { name: id }))
const cells = (id: string) =>
  row(id)
    .getAllByRole('gridcell')
    .map((cell) => cell.textContent)
const tip = (id: string, cell: number) => row(id).getAllByRole('gridcell')[cell]!.dataset['tip']
const isDimmed = (id: string) =>
  screen.getByRole('row', { name: id }).querySelector('[data-dimmed="true"]') !== null

beforeEach(() => renders.clear())
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

describe('what a row shows', () => {
  const MB = 1024 ** 2
  const started = Date.now() - (3 * 24 + 4) * 3_600_000 - 500

  test('[spec 1 §2] a running guest, column by column', async () => {
    const guest = aGuest({
      vmid: 101,
      name: 'web',
      cpu: 0.125,
      startedAt: started,
      diskRead: 2 * MB,
      diskWrite: 512,
      networkIn: 60 * MB,
      networkOut: 0,
    })
    await given(aLive({ guests: { a: guest }, nodes: { n: aNode() } }))
    expect(cells('a').slice(1)).toEqual([
      'VM',
      '101',
      '3d 4h',
      '12.5%',
      '50.0%',
      '50.0%',
      '2 MB/s',
      '512 B/s',
      '60 MB/s',
      '0 B/s',
    ])
    expect(row('a').getByText('Running')).toBeDefined()
    expect([tip('a', 4), tip('a', 5), tip('a', 6)]).toEqual(['4 CPUs', '2 GB of 4 GB', '16 GB of 32 GB'])
  })

  test('[spec 1 §2] the type is VM or LXC', async () => {
    await given(aLive({ guests: { a: aGuest(), b: aGuest({ type: 'lxc', vmid: 2 }) } }))
    expect([cells('a')[1], cells('b')[1]]).toEqual(['VM', 'LXC'])
  })

  test('[spec 1 §2] a lock is shown, and tags as dots', async () => {
    await given(aLive({ guests: { a: aGuest({ lock: 'backup', tags: 'a,b,c,d' }) } }))
    expect(row('a').getByText('backup')).toBeDefined()
    expect(screen.getByRole('row').querySelectorAll('[data-tag]')).toHaveLength(3)
    expect(row('a').getByText('+1')).toBeDefined()
  })

  test('[spec 1 §2] the name is a link when people gave it one', async () => {
    const links = { 'main-pve1-100': { id: 'main-pve1-100', customUrl: 'https://shop.example/' } }
    await given(aLive({ guests: { a: aGuest({ name: 'shop' }), b: aGuest({ vmid: 101, name: 'db' }) } }), {
      links,
    })
    const link = row('a').getByRole<HTMLAnchorElement>('link', { name: 'shop' })
    expect([link.href, link.rel]).toEqual(['https://shop.example/', 'noopener noreferrer'])
    expect(row('b').queryByRole('link', { name: 'db' })).toBeNull()
  })

  test('[M 3.3] a row links to the page of its guest, which the keyboard reaches with the row', async () => {
    await given(aLive({ guests: { 'main:100': aGuest({ name: 'shop' }) } }))
    const link = row('main:100').getByRole('link', { name: 'Open page of shop' })
    expect(link.getAttribute('href')).toBe('/proxmox/guest/main%3A100')
    expect(link.tabIndex).toBe(0)
  })

  test('[spec 1 §4] not running: dimmed, no figures', async () => {
    await given(
      aLive({ guests: { a: aGuest({ status: 'stopped' }), b: aGuest({ vmid: 2, status: 'unknown' }) } }),
    )
    for (const id of ['a', 'b']) {
      expect(isDimmed(id)).toBe(true)
      expect(cells(id).slice(3)).toEqual(Array(8).fill('—'))
    }
    expect(row('a').getByText('Stopped')).toBeDefined()
    expect(row('b').getByText('Unknown')).toBeDefined()
  })

  test('a paused VM shows what it holds, and does not ask for an agent', async () => {
    const paused = {
      status: 'paused',
      memory: { total: 400, used: 100, free: 300, usage: 25 },
      disk: { total: 100 },
      diskStatusReason: 'vm-paused',
    } as const
    await given(aLive({ guests: { a: aGuest(paused) } }))
    expect(isDimmed('a')).toBe(true)
    expect(cells('a').slice(3, 7)).toEqual(['—', '—', '25.0%', '—'])
    expect(tip('a', 5)).toBe('100 B of 400 B')
    expect(tip('a', 6)).toBe('The VM is paused: its guest agent answers again when it is resumed.')
  })

  test.each([
    ['agent-pending', 'An estimate: it counts page cache until the guest agent has answered.'],
    [
      'agent-silent',
      'An estimate: the guest agent has not answered for a while, so it may count page cache.',
    ],
  ] as const)('memory that is an estimate (%s) says so, and why', async (estimate, why) => {
    const memory = { total: 400, used: 100, free: 300, usage: 25, estimate }
    const live = await given(aLive({ guests: { a: aGuest({ memory }) } }))
    expect(cells('a')[5]).toBe('≈25.0%')
    expect(tip('a', 5)).toBe(`100 B of 400 B. ${why}`)
    const { estimate: _gone, ...known } = memory
    act(() => live.put({ guests: { a: aGuest({ memory: known }) } }))
    expect([cells('a')[5], tip('a', 5)]).toEqual(['25.0%', '100 B of 400 B'])
  })

  test('[spec 1 §4] on an offline node the same, and back when the node is', async () => {
    const live = await given(aLive({ guests: { a: aGuest() }, nodes: { n: aNode({ status: 'offline' }) } }))
    expect(isDimmed('a')).toBe(true)
    expect(row('a').getByText('Node offline')).toBeDefined()
    act(() => live.put({ nodes: { n: aNode() } }))
    expect(isDimmed('a')).toBe(false)
    expect(row('a').getByText('Running')).toBeDefined()
  })

  test('[spec 1 §8] an unknown disk says why', async () => {
    const unknown = { disk: { total: 100 }, diskStatusReason: 'agent-disabled' } as const
    await given(
      aLive({ guests: { a: aGuest(unknown), b: aGuest({ ...unknown, vmid: 2, status: 'stopped' }) } }),
    )
    expect(cells('a')[6]).toBe('—')
    expect(tip('a', 6)).toBe('Guest agent is disabled in VM configuration. Enable it in VM Options.')
    expect(tip('b', 6)).toBeUndefined()
  })

  test('stale figures are dimmed, with their age, and the state is not called running', async () => {
    await given(aLive({ guests: { a: aGuest({ staleSince: Date.now() - 125_000 }) } }))
    expect(isDimmed('a')).toBe(true)
    expect(row('a').getByText('Stale 2m')).toBeDefined()
    expect(row('a').queryByText('Running')).toBeNull()
    expect(cells('a')[4]).toBe('25.0%')
  })

  test('an unacknowledged alert marks its guest', async () => {
    const alerts = new Map([[anAlert({ resourceId: 'main-pve1-100' }).resourceId, 'critical' as const]])
    await given(aLive({ guests: { a: aGuest() } }), { alerts })
    expect(row('a').getByRole('img', { name: 'Critical alert' })).toBeDefined()
  })

  test('on a phone: two lines with the same figures', async () => {
    await given(aLive({ guests: { a: aGuest({ name: 'web', vmid: 101, startedAt: started }) } }), {
      phone: true,
    })
    expect(cells('a')).toHaveLength(2)
    expect(cells('a')[0]).toContain('web')
    expect(cells('a')[0]).toContain('101 · 3d 4h')
    expect(cells('a')[1]).toBe('CPU25.0%Mem50.0%Disk50.0%')
  })

  test('[S14] names, tags and locks are text, whatever they hold', async () => {
    const markup = '<img src=x onerror=alert(1)>'
    await given(aLive({ guests: { a: aGuest({ name: markup, tags: markup, lock: markup }) } }))
    expect(screen.getByRole('grid').querySelector('img')).toBeNull()
    expect(row('a').getAllByText(markup).length).toBeGreaterThan(0)
  })
})

describe('renders', () => {
  const estate = () => aLive({ guests: { a: aGuest(), b: aGuest({ vmid: 2 }) }, nodes: { n: aNode() } })

  test('a row renders when its own guest changes, and only then', async () => {
    const live = await given(estate())
    act(() => live.put({ guests: { a: aGuest({ cpu: 0.9 }) } }))
    expect([...renders]).toEqual([['a', 1]])
    expect(cells('a')[4]).toBe('90.0%')
  })

  test('figures of the node render no guest; its going offline renders all of them', async () => {
    const live = await given(estate())
    act(() => live.put({ nodes: { n: aNode({ cpu: 0.7 }) } }))
    expect([...renders]).toEqual([])
    act(() => live.put({ nodes: { n: aNode({ status: 'offline' }) } }))
    expect(Object.fromEntries(renders)).toEqual({ a: 1, b: 1 })
  })

  test('other kinds and other guests coming and going render nothing', async () => {
    const live = await given(estate())
    act(() => {
      live.put({ activeAlerts: { x: anAlert() }, guests: { c: aGuest({ vmid: 3 }) } })
      live.remove('guests', 'c')
    })
    expect([...renders]).toEqual([])
  })
})
