import { aMeta } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { createState } from '../../state/state.ts'
import { wireOf } from '../../testing/wire.ts'
import { givenHosts } from '../proxmox/fixtures.ts'

test('a namespace that hangs: others arrive, what was known of it stays, marked, and the wire says why', async (context) => {
  const { lab, start, until, pass } = await givenHosts(context, { factor: 120, guests: 20 })
  const state = createState(aMeta())
  const wire = wireOf(state)
  start('pbs', {}, (one) => state.observe(one))
  const spaces = () =>
    wire
      .records('datastores')
      .flatMap(({ name, namespaces = [] }) =>
        namespaces.map(({ path, ...more }) => ({ fullPath: `${name}/${path}`, ...more })),
      )
  const held = (fullPath: string) =>
    wire
      .records('pbsBackups')
      .filter(({ datastore, namespace }) => `${datastore}/${namespace}` === fullPath)
      .map(({ vmid, backupTime }) => `${vmid} ${backupTime}`)
      .toSorted()
  await until(
    'all namespaces',
    () => spaces().length > 2 && spaces().every((one) => one.backups !== undefined),
    200,
  )
  const [hanging] = spaces().filter(({ fullPath, backups }) => /^main\/./.test(fullPath) && backups! > 0)
  const fullPath = hanging!.fullPath
  const before = held(fullPath)
  expect(before).toHaveLength(hanging!.backups!)

  const [store = '', ...path] = fullPath.split('/')
  const query = { ns: path.join('/') }
  lab.control.addFault({ kind: 'hang', node: 'pbs1', path: `/admin/datastore/${store}/snapshots`, query })
  lab.control.resetRequests()
  const now = () => spaces().find((one) => one.fullPath === fullPath)!
  // The namespace is read within five minutes, and the server has two more for the first byte.
  await until('the mark', () => now().staleSince !== undefined, 900)
  expect(now()).toMatchObject({
    backups: before.length,
    error: expect.stringMatching(/no answer .* within 120 s/),
  })
  expect(held(fullPath)).toEqual(before)
  const [source] = wire.records('sources')
  expect(source).toMatchObject({
    health: 'healthy',
    unreadable: [{ what: `namespace ${fullPath}`, error: now().error, since: expect.any(Number) }],
  })

  // Meanwhile the other namespaces are read again, and their changes are shown.
  await pass(400)
  const others = spaces().filter((one) => one.fullPath !== fullPath)
  expect(others.every((one) => one.staleSince === undefined && one.error === undefined)).toBe(true)
  expect(lab.requests({ path: '/admin/datastore/*/snapshots' }).total).toBeGreaterThan(others.length)
  lab.control.clearFaults()
  await until('it is well again', () => now().staleSince === undefined && now().error === undefined, 900)
  expect(wire.records('sources')[0]).not.toHaveProperty('unreadable')
  expect(held(fullPath).length).toBeGreaterThanOrEqual(before.length)
})
