// @vitest-environment happy-dom
import type { DockerContainer } from '@pulse/contract'
import { aDockerContainer, anAlert } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import {
  cells,
  choose,
  estate,
  given,
  host,
  inFreshBrowsers,
  now,
  onDock1,
  row,
  rows,
  type,
} from './fake-docker.tsx'

inFreshBrowsers()

const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
const open = (key: string, text: string) => fireEvent.click(within(row(key)).getByText(text))
const details = (id = 'c1') => row(`details:${id}`)?.textContent

test('[M 3.1] a row opens to the history of its container', async () => {
  await given()
  open('container:c1', 'web')
  expect(await within(row('details:c1')!).findByRole('group', { name: 'History of web' })).toBeDefined()
})

describe('[spec 1 §2] the container table', () => {
  test('five columns: container, status, CPU, memory, restarts', async () => {
    await given()
    expect(heads()).toEqual(['Container', 'Status', 'CPU', 'Memory', 'Restarts'])
    expect(row('container:c1').parentElement!.style.minWidth).toBe('47.5rem')
    expect(cells('container:c3')).toEqual(['cache', 'Runningunhealthy', '5.0%', '10.0%205 MB', '0'])
  })

  test('[spec 1 §5] missing figures are a dash: of what does not run, and of what could not be read', async () => {
    const { cpuPercent: _cpu, memoryPercent: _share, memoryUsageBytes: _used, ...rest } = aDockerContainer()
    const unread = { ...rest, unreadable: 'stats: no answer within 5 s' }
    await given({ ...estate, dockerContainers: { ...estate.dockerContainers, c1: unread } })
    expect(cells('container:c2')).toEqual(['db', 'Exited (137)', '—', '—', '0'])
    expect(cells('container:c1')).toEqual(['webstats: no answer within 5 s', 'Running', '—', '—', '0'])
  })

  test('the name falls back to the first 12 characters of the id', async () => {
    await given(onDock1({}, { name: '', id: '0123456789abcdef0123456789abcdef' }))
    expect(cells('container:c0')[0]).toBe('0123456789ab')
  })

  test('[spec 1 §4] clicking a head sorts, CPU and memory downwards first, the others upwards', async () => {
    await given(
      onDock1(
        {},
        { name: 'a', cpuPercent: 1, memoryPercent: 9, restartCount: 4 },
        { name: 'b', cpuPercent: 50, memoryPercent: 5, restartCount: 0 },
        { name: 'c', state: 'exited', restartCount: 2 },
      ),
    )
    choose('Flat')
    const sortBy = (name: string) => {
      fireEvent.click(within(screen.getByLabelText('Containers')).getByRole('button', { name }))
      return rows().map((key) => key.slice(-1))
    }
    expect(rows().map((key) => key.slice(-1))).toEqual(['0', '1', '2'])
    expect(sortBy('CPU')).toEqual(['1', '0', '2'])
    expect(sortBy('CPU'), 'empty values last').toEqual(['0', '1', '2'])
    expect(sortBy('Memory')).toEqual(['0', '1', '2'])
    expect(sortBy('Restarts')).toEqual(['1', '2', '0'])
    expect(sortBy('Restarts')).toEqual(['0', '2', '1'])
    expect(sortBy('Status')).toEqual(['2', '0', '1'])
    expect(sortBy('Container')).toEqual(['0', '1', '2'])
  })

  test.each<[what: string, change: Partial<DockerContainer>, figure: string, tone: string | undefined]>([
    ['CPU', { cpuPercent: 79 }, '79.0', undefined],
    ['CPU', { cpuPercent: 80 }, '80.0', 'text-yellow'],
    ['CPU', { cpuPercent: 90 }, '90.0', 'text-red'],
    ['CPU', { cpuPercent: 250 }, '100.0', 'text-red'],
    ['memory', { memoryPercent: 74 }, '74.0', undefined],
    ['memory', { memoryPercent: 75 }, '75.0', 'text-yellow'],
    ['memory', { memoryPercent: 85 }, '85.0', 'text-red'],
    ['memory', { memoryPercent: 130 }, '100.0', 'text-red'],
  ])('[spec 1 §9] %s of %o shows %s, %s', async (_what, change, figure, tone) => {
    await given(onDock1({}, change))
    const { className } = within(row('container:c0')).getByText(figure)
    expect(/text-(yellow|red)/.exec(className)?.[0]).toBe(tone)
  })

  test.each<[change: Partial<DockerContainer>, fill: string]>([
    [{ state: 'running' }, '--green-fill'],
    [{ state: 'running', health: 'healthy' }, '--green-fill'],
    [{ state: 'running', health: 'unhealthy' }, '--red-fill'],
    [{ state: 'exited' }, '--red-fill'],
    [{ state: 'paused' }, '--yellow-fill'],
  ])('[spec 1 §4] the dot of %o is of %s', async (change, fill) => {
    await given(onDock1({}, change))
    const dot = row('container:c0').querySelector<HTMLElement>('.status-dot')!
    expect(dot.getAttribute('style')).toContain(fill)
  })

  test('[spec 1 §2] an unacknowledged alert is a stripe at its row', async () => {
    const { c1 } = estate.dockerContainers
    const alert = anAlert({ resourceId: `docker:dock1/${c1.id}`, level: 'critical' })
    await given({ ...estate, activeAlerts: { a: alert } })
    expect(row('container:c1').querySelector('[data-alert=critical]')).not.toBeNull()
    expect(row('container:c2').querySelector('[data-alert]')).toBeNull()
  })

  test('the foot counts what is shown, and stays visible, only where that is not what the page counts above', async () => {
    const live = await given()
    const foot = () => document.querySelector('[data-foot]')
    expect(foot()).toBeNull()
    fireEvent.click(host('Cellar'))
    expect(foot()!.textContent).toBe('Shown:1 running, 1 of them unhealthy0 exited')
    expect(foot()!.className).toContain('sticky')
    fireEvent.click(host('Cellar'))
    expect(foot()).toBeNull()
    await type('web')
    expect(foot()!.textContent).toBe('Shown:1 running0 exited')
    await type('')
    act(() => live.put({ dockerContainers: { c5: aDockerContainer({ name: 'frozen', state: 'paused' }) } }))
    expect(foot()!.textContent).toBe('1 in another state')
    expect(foot()!.className).not.toContain('sticky')
  })
})

describe('[spec 1 §2] rows expand', () => {
  test('and collapse with a click', async () => {
    await given()
    expect(row('container:c1').getAttribute('aria-expanded')).toBe('false')
    open('container:c1', 'web')
    expect(row('container:c1').getAttribute('aria-expanded')).toBe('true')
    expect(details()).toContain('nginx:1.29')
    open('container:c1', 'web')
    expect(details()).toBeUndefined()
  })

  test('only if there is extra information: one that has none does not', async () => {
    const {
      createdAt: _created,
      startedAt: _started,
      ports: _ports,
      networks: _networks,
      ...bare
    } = aDockerContainer({ image: '' })
    const live = await given({ ...onDock1({}), dockerContainers: { c0: bare } })
    expect(row('container:c0').getAttribute('aria-expanded')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Details of web' })).toBeNull()
    open('container:c0', 'web')
    expect(details('c0')).toBeUndefined()
    act(() => live.put({ dockerContainers: { c0: { ...bare, image: 'nginx' } } }))
    open('container:c0', 'web')
    expect(details('c0')).toContain('nginx')
    act(() => live.put({ dockerContainers: { c0: bare } }))
    expect(details('c0')).toBeUndefined()
  })

  test('to ports, networks, when it was made, image, uptime while it runs, and labels', async () => {
    const container = aDockerContainer({
      startedAt: now - (3 * 86_400 + 4 * 3600) * 1000,
      ports: [
        { privatePort: 443, protocol: 'tcp' },
        { privatePort: 80, publicPort: 8080, protocol: 'tcp', ip: '0.0.0.0' },
      ],
      networks: [{ name: 'shop_default', ipv4: '172.18.0.2', ipv6: 'fd00::2' }],
      labels: { 'com.docker.compose.project': 'shop', 'com.docker.compose.service': 'front', empty: '' },
    })
    await given({ ...estate, dockerContainers: { c1: container } })
    open('container:c1', 'web')
    for (const text of [
      'Imagenginx:1.29',
      `ID${container.id}`,
      'Uptime3d 4h',
      'Created',
      'Composeshop / front',
      'Ports8080 → 80/tcp443/tcp',
      'Networksshop_default172.18.0.2fd00::2',
      'Labelscom.docker.compose.project=shopcom.docker.compose.service=frontempty',
    ])
      expect(details()).toContain(text)
  })

  test('of one that does not run no uptime, but when it ended', async () => {
    const finishedAt = Date.UTC(2026, 0, 2)
    await given(onDock1({}, { state: 'exited', startedAt: finishedAt - 1000, finishedAt }))
    open('container:c0', 'web')
    expect(details('c0')).toContain('Ended')
    expect(details('c0')).not.toContain('Uptime')
    expect(details('c0')).not.toContain('kernel')
  })

  test('of one that wanted too much memory that the kernel ended it', async () => {
    await given(onDock1({}, { state: 'exited', exitCode: 137, oomKilled: true }))
    open('container:c0', 'web')
    expect(details('c0')).toContain('Ended bythe kernel: out of memory')
  })

  test('[spec 1 §9] less than an hour of uptime is orange', async () => {
    await given(onDock1({}, { startedAt: now - 600_000 }))
    open('container:c0', 'web')
    expect(within(row('details:c0')).getByText('10m').className).toContain('text-orange')
  })

  test('of a thousand labels the first ones are shown', async () => {
    const labels = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`label${at}`, 'x']))
    await given(onDock1({}, { labels }))
    open('container:c0', 'web')
    expect(details('c0')).toMatch(/label23=x.*and 976 more/)
    expect(details('c0')).not.toContain('label24')
  })

  test('clicking inside links or buttons does not toggle', async () => {
    await given()
    const button = within(row('container:c1')).getByRole('button', { name: 'Details of web' })
    fireEvent.click(button)
    expect(details(), 'the button does its own thing, once').toBeDefined()
    fireEvent.click(button.querySelector('svg')!)
    expect(details()).toBeUndefined()
    fireEvent.click(within(row('host:dock1')).getByRole('button', { name: 'dock1' }))
    expect(rows().some((key) => key.startsWith('details:'))).toBe(false)
  })

  test('expanded state is remembered per host and container', async () => {
    await given()
    open('container:c1', 'web')
    cleanup()
    await given()
    expect([details('c1') === undefined, details('c2')]).toEqual([false, undefined])
    cleanup()
    // a recreated container has a new id, but is the same container
    await given({
      ...estate,
      dockerContainers: { ...estate.dockerContainers, c1: aDockerContainer({ id: 'f'.repeat(64) }) },
    })
    expect(details('c1')).toContain('f'.repeat(64))
  })
})
