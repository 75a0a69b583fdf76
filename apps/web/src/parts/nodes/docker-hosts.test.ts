import { aDockerHost } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { hostName, indexHosts, orderHosts } from './docker-hosts.ts'

test('hosts that are hidden are left out', () => {
  const live = aLive({ dockerHosts: { a: aDockerHost(), b: aDockerHost({ id: 'b', hidden: true }) } })
  expect([...indexHosts(live.store).keys()]).toEqual(['a'])
  live.put({ dockerHosts: { b: aDockerHost({ id: 'b' }) } })
  expect([...indexHosts(live.store).keys()]).toEqual(['a', 'b'])
})

test('the index stays the same while only figures change', () => {
  const live = aLive({ dockerHosts: { a: aDockerHost() } })
  const before = indexHosts(live.store)
  live.put({ dockerHosts: { a: aDockerHost({ cpus: 8 }) } })
  expect(indexHosts(live.store)).toBe(before)
  live.put({ dockerHosts: { a: aDockerHost({ status: 'offline' }) } })
  expect(indexHosts(live.store)).not.toBe(before)
})

test('reporting hosts come first, then in natural order of names', () => {
  const live = aLive({
    dockerHosts: {
      a: aDockerHost({ displayName: 'dock10' }),
      b: aDockerHost({ displayName: 'alpha', status: 'offline' }),
      c: aDockerHost({ displayName: 'dock2' }),
    },
  })
  const index = indexHosts(live.store)
  expect(orderHosts([...index.keys()], index)).toEqual(['c', 'a', 'b'])
})

test('a host is called by its display name, else by its host name, else by its id', () => {
  const host = { id: 'i', hostname: 'h', displayName: 'd' }
  expect(hostName(host)).toBe('d')
  expect(hostName({ ...host, displayName: '' })).toBe('h')
  expect(hostName({ ...host, displayName: '', hostname: '' })).toBe('i')
})
