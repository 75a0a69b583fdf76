import { AlertId } from '@pulse/contract'
import { aDockerContainer, aDockerHost, aStorage } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { alertIdOf } from './alert-id.ts'
import { anEngine } from './fixtures.ts'

const docker = { kind: 'docker', name: 'dock1' } as const

test.each([
  'main:100-cpu',
  'docker-container-health-dock1:a b/c',
  'zfs-device-main:pve1:tank-/dev/sdä',
  '..',
  'a/..',
])('%j is an id as it is', (id) => expect(alertIdOf(id)).toBe(id))

test.each([
  ['a parent folder', '../../x', '../../y'],
  ['control characters', 'a\0\n\x85', 'a\0\n\x84'],
  ['more than fits', `${'x'.repeat(10_000)}a`, `${'x'.repeat(10_000)}b`],
  ['half a character', '\ud800', '\udfff'],
  [
    'a cut through a character',
    `${'x'.repeat(482)}${'😀'.repeat(100)}`,
    `${'x'.repeat(483)}${'😀'.repeat(100)}`,
  ],
])('of %s is made one that requests can name, and two stay two', (_, text, other) => {
  const ids = [text, other].map(alertIdOf)
  for (const id of ids) expect([AlertId.safeParse(id).success, id.isWellFormed()]).toEqual([true, true])
  expect(new Set([...ids, alertIdOf(text)]).size).toBe(2)
})

test('an alert of a container with such a name can be acknowledged', () => {
  const all = anEngine()
  const lists = {
    dockerHosts: [aDockerHost()],
    dockerContainers: [aDockerContainer({ name: '../../\0etc', health: 'unhealthy' })],
  }
  all.tell('dock1', lists, docker)
  const [id] = all.open()
  expect(AlertId.safeParse(id).success).toBe(true)
  all.acknowledge(id!)
  expect(all.alert(id!)).toMatchObject({ acknowledged: true })
  expect(all.trace(id!, id!)).toMatchObject({ state: 'active' })
})

test('a rule finds an open alert with such a name', () => {
  const all = anEngine()
  const full = { name: '../s', usage: 99, status: 'available' as const }
  const poll = (change: object) => all.poll('main', { storage: [aStorage({ ...full, ...change })] })
  poll({})
  poll({ usage: 98 })
  expect(all.open()).toHaveLength(1)
  poll({ status: 'error' })
  poll({ status: 'error', usage: 97 })
  poll({ status: 'error', usage: 98 })
  // An offline host raises only that alert.
  expect(all.open().map((id) => all.alert(id)!.type)).toEqual(['offline'])
})
