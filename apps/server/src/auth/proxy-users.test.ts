import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { aCaller } from './fixtures.ts'
import { createProxyUsers, type ProxyClaim } from './proxy-users.ts'

function given() {
  const changes: number[] = []
  const published: ProxyClaim[] = []
  const users = createProxyUsers(fakeClock(), {
    onViewer: async () => {},
    onChanged: () => changes.push(1),
    onNew: (claim) => void published.push(claim),
  })
  const seen = (name: string, role: ProxyClaim['role']) => users.seen({ name, role }, aCaller())
  return { users, seen, changes, published }
}

test('[S3] a role that ended does not come back when another process says it late, and the socket has not been closed yet', async () => {
  const { users, seen, changes } = given()
  const administrator = await seen('pia', 'admin')
  const viewer = await seen('pia', 'viewer')
  users.heard({ name: 'pia', role: 'admin' })
  expect([administrator, viewer].map((one) => one.isCurrent())).toEqual([false, false])
  expect(changes).toHaveLength(2)
  expect((await seen('pia', 'viewer')).isCurrent()).toBe(true)
})

test('a user who comes again with the same role keeps all sockets, wherever that is heard', async () => {
  const { users, seen, changes, published } = given()
  const first = await seen('pia', 'admin')
  users.heard({ name: 'pia', role: 'admin' })
  await seen('pia', 'admin')
  expect(first.isCurrent()).toBe(true)
  expect(changes).toEqual([])
  expect(published).toHaveLength(1)
})
