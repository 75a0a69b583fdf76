import { expect, test } from 'vitest'
import { aContainer, aLiveWith, someHosts } from './fake-docker.tsx'
import { tallyContainers } from './container-tally.ts'

const containers = [
  aContainer({ name: 'a' }),
  aContainer({ name: 'b', state: 'exited' }),
  aContainer({ name: 'c' }),
  aContainer({ name: 'd', host: 'h2', state: 'paused' }),
]
const given = () => aLiveWith(someHosts([]), containers)

test('[spec 2 §2] the containers of a host are counted, and those that run', () => {
  const { store } = given()
  expect(tallyContainers(store, 'h1')).toEqual({ total: 3, running: 2 })
  expect(tallyContainers(store, 'h2')).toEqual({ total: 1, running: 0 })
  expect(tallyContainers(store, 'unknown')).toEqual({ total: 0, running: 0 })
})

test('the counts follow what comes, changes and goes', () => {
  const live = given()
  tallyContainers(live.store, 'h1')
  live.set('dockerContainers', { 'docker-1:a': { state: 'exited' } })
  expect(tallyContainers(live.store, 'h1')).toEqual({ total: 3, running: 1 })
  live.remove('dockerContainers', 'docker-1:a', 'docker-1:b')
  expect(tallyContainers(live.store, 'h1')).toEqual({ total: 1, running: 1 })
  live.put({ dockerContainers: { 'docker-1:d': aContainer({ name: 'd' }) } })
  expect(tallyContainers(live.store, 'h1')).toEqual({ total: 2, running: 2 })
  expect(tallyContainers(live.store, 'h2')).toEqual({ total: 0, running: 0 })
})

test('figures alone leave the count as it is, so that nothing is rendered again', () => {
  const live = given()
  const before = tallyContainers(live.store, 'h1')
  live.set('dockerContainers', { 'docker-1:a': { cpuPercent: 12 } })
  expect(tallyContainers(live.store, 'h1')).toBe(before)
})
