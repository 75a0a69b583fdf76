import { aDockerContainer, aDockerHost, aGuest, aNode, aPbsServer } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { overrideOf } from './override-key.ts'

const set = { cpu: { trigger: 50, clear: 45 } }
const keyFor = (keys: string[], ...of: [Parameters<typeof overrideOf>[1], string, object]) =>
  overrideOf(Object.fromEntries(keys.map((key) => [key, set])), ...of)?.key

test('an override is stored under the key of its record', () => {
  expect(keyFor(['guest:main:100', 'main-pve1-100'], 'guests', 'main:100', aGuest())).toBe('guest:main:100')
  expect(keyFor(['node:main:pve1'], 'nodes', 'main:pve1', aNode())).toBe('node:main:pve1')
  expect(keyFor(['datastore:backup:main'], 'datastores', 'backup:main', { source: 'backup' })).toBe(
    'datastore:backup:main',
  )
  expect(keyFor(['guest:main:101'], 'guests', 'main:100', aGuest())).toBeUndefined()
})

test('[spec 3 §3] or under its name of the documented API', () => {
  expect(keyFor(['main-pve1'], 'nodes', 'main:pve1', aNode())).toBe('main-pve1')
  expect(keyFor(['pbs-backup'], 'pbs', 'backup', aPbsServer())).toBe('pbs-backup')
  expect(keyFor(['dock1'], 'dockerHosts', 'dock1', aDockerHost())).toBe('dock1')
  const container = aDockerContainer()
  expect(keyFor([`docker:dock1/${container.id}`], 'dockerContainers', 'dock1:web', container)).toBe(
    `docker:dock1/${container.id}`,
  )
})

test('a migrated guest keeps overrides under its former id', () => {
  const moved = aGuest({ node: 'pve2', id: 'main-pve2-100' })
  expect(keyFor(['main-pve1-100'], 'guests', 'main:100', moved)).toBe('main-pve1-100')
  expect(keyFor(['main-pve1-1100'], 'guests', 'main:100', moved)).toBeUndefined()
  expect(keyFor(['other-pve1-100'], 'guests', 'main:100', moved)).toBeUndefined()
  expect(keyFor(['main--100', '-100', '100'], 'guests', 'main:100', moved)).toBeUndefined()
})

test('instances with a common prefix are distinguished by their known nodes', () => {
  const isNode = (name: string) => name === 'pve1'
  const found = overrideOf({ 'main-2-pve1-100': set }, 'guests', 'main:100', aGuest(), isNode)
  expect(found).toBeUndefined()
})
