// @vitest-environment happy-dom
import { aDockerContainer } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import {
  cells,
  choose,
  estate,
  given,
  host,
  hosts,
  inFreshBrowsers,
  onPhone,
  press,
  row,
  rows,
  search,
  type,
} from './fake-docker.tsx'
import { containerSearchTips } from './filter.ts'

inFreshBrowsers()

const byHost = ['host:dock2', 'container:c3', 'host:dock1', 'container:c2', 'container:c1']

describe('[spec 1 §2] the Docker tab', () => {
  test('a hosts sidebar, a filter bar and a container table', async () => {
    await given()
    expect(hosts().map(({ textContent }) => /Cellar|dock\d/.exec(textContent)?.[0])).toEqual([
      'Cellar',
      'dock1',
    ])
    expect(screen.getByRole('region', { name: 'Filters' })).toBeDefined()
    expect(screen.getByRole('treegrid', { name: 'Containers' })).toBeDefined()
  })

  test('shows all hosts grouped', async () => {
    await given()
    expect(rows()).toEqual(byHost)
  })

  test('or a single host: a click on one shows it alone, a second one all', async () => {
    await given()
    fireEvent.click(host('dock1'))
    expect(rows()).toEqual(['host:dock1', 'container:c2', 'container:c1'])
    expect(host('dock1').getAttribute('aria-pressed')).toBe('true')
    expect(hosts(), 'the others stay to be chosen').toHaveLength(2)
    fireEvent.click(host('dock1'))
    expect(rows()).toEqual(byHost)
    expect(host('dock1').getAttribute('aria-pressed')).toBe('false')
  })

  test('from one host to another it is one click, and the head of a group does the same', async () => {
    await given()
    fireEvent.click(host('dock1'))
    fireEvent.click(host('Cellar'))
    expect(rows()).toEqual(['host:dock2', 'container:c3'])
    const head = () => within(row('host:dock2')).getByRole('button', { name: 'Cellar' })
    fireEvent.click(head())
    expect(rows()).toEqual(byHost)
    fireEvent.click(head())
    expect(rows()).toEqual(['host:dock2', 'container:c3'])
  })

  test('grouping mode is grouped or flat, and kept', async () => {
    await given()
    choose('Flat')
    expect(rows()).toEqual(['container:c3', 'container:c2', 'container:c1'])
    expect(localStorage.getItem('dockerGroupingMode')).toBe('flat')
    cleanup()
    await given()
    expect(rows()[0]).toBe('container:c3')
    choose('Grouped')
    expect(rows()).toEqual(byHost)
    expect(localStorage.getItem('dockerGroupingMode')).toBe('grouped')
  })

  test('[spec 1 §4] a click on the chosen grouping goes back to Grouped', async () => {
    await given()
    choose('Flat')
    choose('Flat')
    expect(rows()).toEqual(byHost)
  })

  test('[spec 1 §3] an unknown stored value falls back to what is usual', async () => {
    localStorage.setItem('dockerGroupingMode', 'upside down')
    localStorage.setItem('dockerSortKey', 'colour')
    await given()
    expect(rows()).toEqual(byHost)
  })

  test('Reset clears search, grouping mode and host', async () => {
    await given()
    choose('Flat')
    fireEvent.click(host('dock1'))
    await type('web')
    expect(rows()).toEqual(['container:c1'])
    fireEvent.click(screen.getByRole('button', { name: 'Reset' }))
    expect(search().value).toBe('')
    expect(rows()).toEqual(byHost)
    expect(localStorage.getItem('dockerGroupingMode')).toBeNull()
    expect(host('dock1').getAttribute('aria-pressed')).toBe('false')
  })

  test('an Add Host button leads to /settings/docker', async () => {
    await given()
    expect(screen.getByRole('link', { name: 'Add Host' }).getAttribute('href')).toBe('/settings/docker')
  })

  test('hidden hosts are nowhere, nor what runs on them', async () => {
    const live = await given()
    choose('Flat')
    expect(document.body.textContent).not.toMatch(/dock3|secret/)
    act(() => live.put({ dockerHosts: { dock1: { ...estate.dockerHosts.dock1, hidden: true } } }))
    expect(rows()).toEqual(['container:c3'])
    expect(hosts()).toHaveLength(1)
  })

  test('a host that is shown alone and goes, or is hidden, is replaced by all', async () => {
    const live = await given()
    fireEvent.click(host('dock1'))
    act(() => live.put({ dockerHosts: { dock1: { ...estate.dockerHosts.dock1, hidden: true } } }))
    expect(rows()).toEqual(['host:dock2', 'container:c3'])
  })
})

describe('[spec 1 §5] search', () => {
  test.each([
    ['web', ['host:dock1', 'container:c1']],
    ['host:cellar', ['host:dock2', 'container:c3']],
    ['dock1 exited', ['host:dock1', 'container:c2']],
    ['redis, unhealthy', ['host:dock2', 'container:c3']],
    ['label:tier=front', ['host:dock1', 'container:c1']],
  ])('%s', async (term, expected) => {
    await given()
    await type(term)
    expect(rows()).toEqual(expected)
  })

  test('follows what changes: by state, by health, by host', async () => {
    const live = await given()
    await type('state:exited')
    expect(rows()).toEqual(['host:dock1', 'container:c2'])
    act(() =>
      live.put({
        dockerContainers: { c2: aDockerContainer({ name: 'db' }), c1: aDockerContainer({ state: 'exited' }) },
      }),
    )
    expect(rows()).toEqual(['host:dock1', 'container:c1'])
  })

  test('what can match nothing says so, at the box and where nothing is found', async () => {
    await given()
    await type('cpu>80')
    const why = '"cpu>80" can match nothing: containers are found by words, not by numbers.'
    expect(screen.getAllByText(why)).toHaveLength(2)
    expect(search().getAttribute('aria-describedby')).not.toBeNull()
  })

  test('[spec 1 §5] is remembered on Enter and when it is left, unless it is blank', async () => {
    await given()
    await type('  ')
    press('Enter', search())
    expect(localStorage.getItem('dockerSearchHistory')).toBeNull()
    await type('web')
    press('Enter', search())
    await type(' host:dock1 ')
    act(() => void fireEvent.blur(search()))
    expect(JSON.parse(localStorage.getItem('dockerSearchHistory')!)).toEqual(['host:dock1', 'web'])
  })

  test('its tips name every prefix', () => {
    const codes = containerSearchTips.tips.map(({ code }) => code).join(' ')
    for (const prefix of ['host:', 'name:', 'image:', 'state:', 'id:', 'label:'])
      expect(codes).toContain(prefix)
  })
})

describe('keys', () => {
  test('typing goes to the search, Escape resets', async () => {
    await given()
    press('w')
    expect(document.activeElement).toBe(search())
    await type('web')
    press('Escape')
    expect(search().value).toBe('')
  })

  test('ArrowDown leads from the search to the rows, on to the next, and Enter opens one', async () => {
    await given()
    press('ArrowDown', search())
    expect(document.activeElement).toBe(row('host:dock2'))
    press('ArrowDown', row('host:dock2'))
    expect(document.activeElement).toBe(row('container:c3'))
    press('Enter', row('container:c3'))
    expect(row('details:c3')).not.toBeNull()
    press('ArrowLeft', row('container:c3'))
    expect(row('details:c3')).toBeNull()
    press('ArrowLeft', row('container:c3'))
    expect(document.activeElement).toBe(row('host:dock2'))
  })

  test('of the hosts one is in the tab order, arrows go to the others', async () => {
    await given()
    expect(hosts().map(({ tabIndex }) => tabIndex)).toEqual([0, -1])
    hosts()[0]!.focus()
    press('ArrowDown', hosts()[0])
    expect(document.activeElement).toBe(hosts()[1])
    press('Home', hosts()[1])
    expect(document.activeElement).toBe(hosts()[0])
  })
})

describe('the summary', () => {
  const summary = () => within(screen.getByRole('group', { name: 'Summary' }))

  test('counts what is not hidden', async () => {
    await given()
    expect(screen.getByRole('group', { name: 'Summary' }).textContent).toBe(
      'Hosts 2Containers 3Running 2Exited 1Unhealthy 1',
    )
  })

  test('a figure leaves what it counts, pressed again it lets the rest back in', async () => {
    await given()
    const exited = () => summary().getByRole('button', { name: /^Exited/ })
    fireEvent.click(exited())
    await act(async () => {})
    expect([search().value, rows()]).toEqual(['state:exited', ['host:dock1', 'container:c2']])
    expect(exited().getAttribute('aria-pressed')).toBe('true')
    fireEvent.click(exited())
    await act(async () => {})
    expect(rows()).toEqual(byHost)
  })
})

test('figures of the summary that filter have the edge of a control, those that only count have none', async () => {
  await given()
  const edged = [...screen.getByRole('group', { name: 'Summary' }).children]
    .filter(({ className }) => /\bborder\b/.test(className))
    .map(({ textContent }) => textContent)
  expect(edged).toEqual(['Running 2', 'Exited 1', 'Unhealthy 1'])
})

describe('Compose projects', () => {
  test('group the containers of each host, those of none last, with their own figures', async () => {
    const shop = { 'com.docker.compose.project': 'shop' }
    await given({
      ...estate,
      dockerContainers: {
        ...estate.dockerContainers,
        c5: aDockerContainer({ name: 'worker', labels: shop, cpuPercent: 20 }),
      },
    })
    choose('By Project')
    expect(rows()).toEqual([
      'project:dock2/',
      'container:c3',
      'project:dock1/shop',
      'container:c1',
      'container:c5',
      'project:dock1/',
      'container:c2',
    ])
    expect(row('project:dock1\0shop').textContent).toMatch(/^shopdock12 of 2 runningCPU 25\.0%/)
    expect(row('project:dock1\0').textContent).toMatch(/^No projectdock10 of 1 running/)
  })

  test('stand beside the name elsewhere', async () => {
    const live = await given()
    expect(cells('container:c1')[0]).toBe('webProject shop')
    choose('Flat')
    expect(cells('container:c1')[0]).toBe('webdock1Project · shop')
    expect(cells('container:c2')[0]).toBe('dbdock1')
    fireEvent.click(host('dock1'))
    expect(cells('container:c2')[0], 'the host is said already').toBe('db')
    fireEvent.click(host('dock1'))
    act(() => live.remove('dockerHosts', 'dock2'))
    expect(cells('container:c2')[0], 'there is no other host').toBe('db')
  })
})

test('on a phone two lines: name and state, then the figures; the order is chosen in the bar', async () => {
  onPhone()
  await given()
  expect(screen.queryByRole('columnheader')).toBeNull()
  expect(cells('container:c1')).toEqual(['webProject shopRunning', 'CPU5.0%Mem10.0%Restarts0'])
  const order = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Sort by' })
  expect([...order.options].map(({ value }) => value)).toEqual([
    'name',
    'status',
    'cpu',
    'memory',
    'restarts',
  ])
})
