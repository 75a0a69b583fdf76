// @vitest-environment happy-dom
import { aDockerContainer, aDockerHost } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  choose,
  cells,
  estate,
  given,
  host,
  hosts,
  inFreshBrowsers,
  now,
  onDock1,
  onPhone,
  onWideScreen,
  press,
  reported,
  row,
  rows,
} from './fake-docker.tsx'

inFreshBrowsers()

const agentPackage = path.join(import.meta.dirname, '../../../../agent/package.json')
const { version: ownVersion } = JSON.parse(fs.readFileSync(agentPackage, 'utf8')) as { version: string }

const GiB = 1024 ** 3
const head = (id = 'dock1') => row(`host:${id}`).textContent
const ago = (minutes: number) => now - minutes * 60_000

describe('the head of a host', () => {
  test('[M 3.1] has its history beside its name', async () => {
    await given(onDock1({ displayName: 'web-1' }, {}))
    expect(within(row('host:dock1')).getByRole('button', { name: 'History of web-1' })).toBeDefined()
  })

  test('[spec 1 §5] CPU is the sum of its running containers, memory the sum of what they use over what it has', async () => {
    await given(
      onDock1(
        { totalMemoryBytes: 16 * GiB },
        { cpuPercent: 12.5, memoryUsageBytes: 3 * GiB },
        { cpuPercent: 7.5, memoryUsageBytes: GiB },
        { cpuPercent: 50, memoryUsageBytes: 0, state: 'exited' },
      ),
    )
    expect(head()).toContain('2 of 3 running')
    expect(head()).toContain('CPU 20.0%')
    expect(head()).toContain('Memory 25.0%4 GB of 16 GB')
  })

  test('[spec 1 §5] CPU is capped at 100', async () => {
    await given(onDock1({}, { cpuPercent: 90 }, { cpuPercent: 90 }))
    expect(head()).toContain('CPU 100.0%')
  })

  test('its uptime, the version of its agent and when it reported', async () => {
    const startedAt = ago((3 * 24 + 4) * 60)
    await given({
      ...onDock1({ startedAt, agentVersion: '5.1.0' }, {}),
      sources: { dock1: reported(ago(0.2)) },
    })
    expect(head()).toContain('up 3d 4h')
    expect(head()).toContain('Agent 5.1.0')
    expect(head()).toContain('Last report 12 seconds ago')
  })

  test.each([
    ['5.1.0', 'text-green'],
    ['0.9.0', 'text-green'],
    ['0.1.3', 'text-yellow'],
    ['5.2.0-dev', 'text-yellow'],
  ])('[spec 1 §9] agent version %s is %s', async (agentVersion, tone) => {
    await given(onDock1({ agentVersion }, {}))
    expect(within(row('host:dock1')).getByText(`Agent ${agentVersion}`).className).toContain(tone)
  })

  test('[spec 1 §9] the agent that this release hands out is not shown as outdated', async () => {
    await given(onDock1({ agentVersion: ownVersion }, {}))
    expect(within(row('host:dock1')).getByText(`Agent ${ownVersion}`).className).toContain('text-green')
  })

  test('CPU and memory of an agent of Pulse 4.x are said to be its own formula', async () => {
    await given(onDock1({ agentVersion: 'v4.25.0' }, {}))
    const badge = () => within(row('host:dock1')).getByText(/^Agent /)
    const note = 'This agent of Pulse 4.x calculates CPU and memory by its own formula.'
    expect(badge().textContent).toBe(`Agent v4.25.0: ${note}`)
    expect(badge().closest('[data-tip]')!.getAttribute('data-tip')).toBe(note)
    cleanup()
    await given(onDock1({ agentVersion: '5.1.0' }, {}))
    expect(head()).not.toContain('formula')
  })

  test('what is unknown is a dash, and no version is none', async () => {
    const { startedAt: _start, agentVersion: _version, ...rest } = aDockerHost({ totalMemoryBytes: 0 })
    await given({ ...onDock1({}, {}), dockerHosts: { dock1: rest } })
    expect(head()).toContain('Memory —')
    expect(head()).toContain('up —')
    expect(head()).not.toContain('Agent')
  })

  test('what is wrong with it stands beside its name, and in the list of hosts', async () => {
    const conflict = { hostname: 'clone', since: 1, lastAt: 2 }
    await given(onDock1({ conflict, clockAheadMinutes: -7, cut: ['labels'], pendingUninstall: true }, {}))
    for (const text of [
      'Duplicate identity: Another machine, clone, reports under the same identity. Its reports are refused.',
      'Clock 7 min behind',
      'Report cut',
      'Being removed',
    ])
      expect(head()).toContain(text)
    expect(host('dock1').textContent).toContain('Duplicate identity')
  })

  test('in two lines less room: its name, CPU, and how many run', async () => {
    onPhone()
    await given(onDock1({}, { cpuPercent: 5 }))
    expect(head()).toBe('Onlinedock1CPU 5.0%1 of 1 running')
  })
})

describe('[spec 1 §2] the hosts sidebar', () => {
  test('name, status with its word, how many run, and the load', async () => {
    await given(
      onDock1(
        { totalMemoryBytes: 16 * GiB },
        { cpuPercent: 5, memoryUsageBytes: 4 * GiB },
        { state: 'exited' },
      ),
    )
    expect(host('dock1').textContent).toBe('dock1running 1/2OnlineCPU 5.0%Mem 25.0%')
    expect(host('dock1').querySelector('.status-dot')!.getAttribute('style')).toContain('--green-fill')
  })

  const many = Array.from({ length: 500 }, (_, at) => `dock${String(at).padStart(3, '0')}`)
  const manyHosts = {
    dockerHosts: Object.fromEntries(many.map((id) => [id, aDockerHost({ id })])),
    dockerContainers: Object.fromEntries(
      many.flatMap((id) =>
        ['web', 'db'].map((name) => [`${id}:${name}`, aDockerContainer({ host: id, name })] as const),
      ),
    ),
  }
  const names = () => hosts().map(({ textContent }) => /dock\d+/.exec(textContent)?.[0])

  test.each([
    { title: 'one below the other', upright: true, px: 52, visible: Math.ceil(window.innerHeight / 52) },
    { title: 'one beside the other', upright: false, px: 224, visible: Math.ceil(window.innerWidth / 224) },
  ])(
    '[design 9] of 500 hosts, $title, the visible ones are rendered: the page stays small',
    async (given500) => {
      const { upright, px, visible } = given500
      if (upright) onWideScreen()
      await given(manyHosts)
      expect(names()).toEqual(many.slice(0, visible + 4))
      expect(document.querySelectorAll('*').length).toBeLessThan(5_000)
      const list = within(screen.getByRole('region', { name: 'Hosts' })).getByRole('list')
      const box = list.parentElement!.parentElement!
      box[upright ? 'scrollTop' : 'scrollLeft'] = 200 * px + 10
      act(() => void fireEvent.scroll(box))
      expect(names(), 'the one that Tab leads to stays').toEqual([
        'dock000',
        ...many.slice(196, 200 + visible + 4),
      ])
      const [, shown] = within(list).getAllByRole('listitem')
      expect(shown!.getAttribute('aria-posinset')).toBe('197')
      expect(shown!.getAttribute('aria-setsize')).toBe('500')
      expect(list.style[upright ? 'height' : 'width']).toBe(`${(500 * px) / 16}rem`)
    },
  )

  test('the keyboard reaches those that are not visible', async () => {
    await given(manyHosts)
    hosts()[0]!.focus()
    press('End', hosts()[0])
    expect(document.activeElement!.textContent).toContain('dock499')
    press('ArrowUp', document.activeElement!)
    expect(document.activeElement!.textContent).toContain('dock498')
    expect(hosts().filter(({ tabIndex }) => tabIndex === 0)).toEqual([document.activeElement])
    act(() => (document.activeElement as HTMLElement).blur())
    expect(names(), 'Tab begins at the top again').not.toContain('dock498')
    expect(hosts()[0]!.tabIndex).toBe(0)
  })

  test('a host without containers is there too', async () => {
    await given(onDock1({}))
    expect(host('dock1').textContent).toContain('0/0')
    expect(screen.getByRole('heading', { name: 'No containers' })).toBeDefined()
  })
})

describe('a host that does not report', () => {
  const silent = {
    ...estate,
    dockerHosts: {
      ...estate.dockerHosts,
      dock1: aDockerHost({ status: 'offline', staleSince: ago(3), agentVersion: '5.1.0' }),
    },
    sources: { dock1: reported(ago(3), { health: 'error', error: 'Its agent does not report.' }) },
  }

  test('[spec 1 §4] is offline in red, with its word and since when, after those that report', async () => {
    await given(silent)
    expect(rows().slice(0, 3)).toEqual(['host:dock2', 'container:c3', 'host:dock1'])
    expect(within(row('host:dock1')).getByText(/^Offline · 3 min$/).className).toContain('text-red')
    expect(host('dock1').textContent).toContain('Offline · 3 min')
    expect(host('dock1').querySelector('.status-dot')!.getAttribute('style')).toContain('--red-fill')
    expect(screen.getByRole('group', { name: 'Summary' }).textContent).toMatch(/^Hosts 21 offline/)
  })

  test('keeps its last figures, in grey', async () => {
    await given({
      ...silent,
      dockerContainers: {
        ...estate.dockerContainers,
        c1: { ...estate.dockerContainers.c1, cpuPercent: 95, staleSince: ago(3) },
      },
    })
    expect(row('container:c1').querySelector('[data-dimmed=true]')).not.toBeNull()
    expect(cells('container:c1')[1]).toBe('Last known:Running')
    expect(within(row('container:c1')).getByText('95.0').className).not.toContain('text-red')
    const amount = row('container:c1').querySelectorAll('[role=gridcell]')[3]!.lastElementChild!
    expect(amount.className).toContain('text-ink-3')
    expect(row('container:c1').textContent, 'its age stands once').not.toContain('Stale')
    expect(row('container:c3').querySelector('[data-dimmed=false]')).not.toBeNull()
    choose('Flat')
    expect(row('container:c1').querySelector('[data-dimmed=true]')).not.toBeNull()
  })

  test('is shown above everything, by its name and in one sentence', async () => {
    const live = await given(silent)
    expect(screen.getByText('dock1 does not report.')).toBeDefined()
    expect(document.querySelector('.unreachable-strip')!.textContent).toBe(
      'dock1 does not report. Its figures are from 3 minutes ago.',
    )
    act(() => live.put({ dockerHosts: { dock1: aDockerHost() }, sources: { dock1: reported(ago(0)) } }))
    expect(screen.queryByText('dock1 does not report.')).toBeNull()
  })

  test('is not shown while it is hidden', async () => {
    const dock1 = { ...silent.dockerHosts.dock1, hidden: true }
    await given({ ...silent, dockerHosts: { ...silent.dockerHosts, dock1 } })
    expect(screen.queryByText(/does not report/)).toBeNull()
  })

  test('an unreachable Proxmox source is shown on its own pages', async () => {
    await given({
      ...estate,
      sources: { p1: { name: 'main', kind: 'pve', health: 'error', error: 'refused' } },
    })
    expect(screen.queryByText(/does not answer/)).toBeNull()
  })
})

test('a report redraws the host it is of', async () => {
  const live = await given()
  const other = head('dock2')
  act(() => live.set('dockerContainers', { c1: { cpuPercent: 42 } }))
  expect(head()).toContain('CPU 42.0%')
  expect(head('dock2')).toBe(other)
  expect(host('dock1').textContent).toContain('42.0%')
  cleanup()
})
