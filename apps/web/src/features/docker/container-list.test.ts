import { compileContainerSearch } from '@pulse/domain'
import { aDockerContainer, aDockerHost } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { type ContainerQuery, createContainerListSelector } from './container-list.ts'

const shop = { 'com.docker.compose.project': 'shop' }
const blog = { 'com.docker.compose.project': 'blog' }

const estate = () =>
  aLive({
    dockerHosts: { dock1: aDockerHost(), dock2: aDockerHost({ id: 'dock2', displayName: 'Cellar' }) },
    dockerContainers: {
      c1: aDockerContainer({ name: 'web10', labels: shop }),
      c2: aDockerContainer({ name: 'web2', labels: blog }),
      c3: aDockerContainer({ name: 'alone' }),
      c4: aDockerContainer({ name: 'web2', host: 'dock2', labels: shop }),
    },
  })

const byName: ContainerQuery = {
  matches: undefined,
  sort: { key: 'name', direction: 'asc' },
  grouping: 'grouped',
  host: undefined,
}

const rowsOf = (query: Partial<ContainerQuery>, live = estate()) =>
  createContainerListSelector({ ...byName, ...query })(live.store).rows.map((row) => row.replace('\0', '/'))

describe('order', () => {
  test('by host, names as people sort them', () => {
    expect(rowsOf({})).toEqual([
      'host:dock2',
      'container:c4',
      'host:dock1',
      'container:c3',
      'container:c2',
      'container:c1',
    ])
  })

  test('a project of the same name on another host is another one', () => {
    expect(rowsOf({ grouping: 'project' })).toEqual([
      'project:dock2/shop',
      'container:c4',
      'project:dock1/blog',
      'container:c2',
      'project:dock1/shop',
      'container:c1',
      'project:dock1/',
      'container:c3',
    ])
  })

  test('flat; of the same name by host', () => {
    expect(rowsOf({ grouping: 'flat' })).toEqual([
      'container:c3',
      'container:c4',
      'container:c2',
      'container:c1',
    ])
  })

  test('one without a name stands where the beginning of its id belongs', () => {
    const live = estate()
    live.put({ dockerContainers: { c5: aDockerContainer({ name: '', id: 'b'.repeat(64) }) } })
    expect(rowsOf({ grouping: 'flat' }, live).slice(0, 2)).toEqual(['container:c3', 'container:c5'])
  })

  test('hosts that do not report come last', () => {
    const live = estate()
    live.put({
      dockerHosts: { dock2: aDockerHost({ id: 'dock2', displayName: 'Cellar', status: 'offline' }) },
    })
    expect(rowsOf({}, live)[0]).toBe('host:dock1')
  })
})

test('of one host, and what is searched of it', () => {
  const matches = compileContainerSearch('web')
  expect(rowsOf({ host: 'dock1', matches, grouping: 'flat' })).toEqual(['container:c2', 'container:c1'])
  expect(rowsOf({ host: 'gone', grouping: 'flat' })).toEqual([])
})

describe('work', () => {
  /** Counts the containers that the list reads for `change`. */
  function looks(query: Partial<ContainerQuery>, change: (live: ReturnType<typeof estate>) => void) {
    let count = 0
    const live = estate()
    const matches = () => (count++, true)
    const select = createContainerListSelector({ ...byName, ...query, matches })
    const before = select(live.store)
    count = 0
    change(live)
    return { count, same: () => select(live.store) === before, after: () => (select(live.store), count) }
  }
  const report = (live: ReturnType<typeof estate>) =>
    live.set('dockerContainers', { c1: { cpuPercent: 9, memoryPercent: 3, memoryUsageBytes: 5 } })

  test('a report that changes figures alone is looked at only where they decide', () => {
    expect(looks({}, report).after()).toBe(0)
    expect(looks({}, report).same()).toBe(true)
    expect(looks({ sort: { key: 'cpu', direction: 'desc' } }, report).after()).toBe(1)
    expect(looks({ sort: { key: 'memory', direction: 'desc' } }, report).after()).toBe(1)
  })

  test('how long one is up is text that is searched, and else says nothing new', () => {
    const live = estate()
    const select = createContainerListSelector(byName)
    const before = select(live.store)
    live.set('dockerContainers', { c1: { status: 'Up 3 hours' } })
    expect(select(live.store)).toBe(before)
    const change = (given: ReturnType<typeof estate>) =>
      given.set('dockerContainers', { c1: { status: 'Up 3 hours' } })
    expect(looks({}, change).after()).toBe(1)
  })
})

test('which rows do not open is the same set until one more or less does', () => {
  const live = estate()
  const select = createContainerListSelector(byName)
  const { createdAt: _c, startedAt: _s, ports: _p, networks: _n, ...bare } = aDockerContainer({ image: '' })
  const before = select(live.store).closed
  live.put({ dockerContainers: { c5: aDockerContainer({ name: 'new' }) } })
  expect(select(live.store).closed).toBe(before)
  live.put({ dockerContainers: { c5: { ...bare, name: 'new' } } })
  expect([...select(live.store).closed]).toEqual(['c5'])
})
