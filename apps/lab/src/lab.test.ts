import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { aLab } from './fixtures.ts'
import { startLab } from './lab.ts'
import { OptionError } from './options.ts'

const noon = Date.parse('2026-07-01T12:00:03Z')

const versionOf = async (
  node: { url: string },
  ask: Awaited<ReturnType<typeof aLab>>['asker'],
  headers: object,
) => ((await ask.ask(node.url, '/version', { headers: { ...headers } })).data as { version: string }).version

test('every node has its own loopback address and certificate, and members name them', async () => {
  const { lab, ask, asker } = await aLab()
  const { nodes } = lab.clusters[0]!
  expect(nodes.map(({ address }) => address.split('.')[0])).toEqual(['127', '127', '127'])
  expect(new Set(nodes.map(({ fingerprint }) => fingerprint)).size).toBe(3)
  for (const node of nodes) {
    const answer = await asker.ask(node.url, '/version')
    expect(answer.fingerprint).toBe(node.fingerprint)
    expect(node.fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
  }
  const listed = (await ask('/nodes')).data as { ssl_fingerprint: string }[]
  expect(listed.map(({ ssl_fingerprint }) => ssl_fingerprint)).toEqual(
    nodes.map(({ fingerprint }) => fingerprint),
  )
  const members = (await ask('/cluster/status')).data as { ip?: string }[]
  expect(members.flatMap(({ ip }) => ip ?? [])).toEqual(nodes.map(({ address }) => address))
})

test("labs started together do not get in each other's way", async () => {
  const labs = await Promise.all([1, 2, 3, 4].map(() => startLab({ nodes: 2, guests: 2 })))
  const addresses = labs.flatMap((lab) =>
    lab.clusters.flatMap(({ nodes }) => nodes.map(({ address }) => address)),
  )
  expect(new Set(addresses).size).toBe(8)
  await Promise.all(labs.map((lab) => lab.close()))
})

test('a base that is taken is an error, and leaves nothing open', async () => {
  // A base that no lab selects itself: labs of other tests use free bases at any time.
  const base = `127.199.${10 + (process.pid % 200)}`
  const first = await startLab({ nodes: 2, guests: 0, base })
  await expect(startLab({ nodes: 2, guests: 0, base })).rejects.toThrow('no free loopback')
  await first.close()
  const again = await startLab({ nodes: 2, guests: 0, base })
  expect(again.clusters[0]!.nodes.map(({ address }) => address)).toEqual([`${base}.11`, `${base}.12`])
  await again.close()
})

test('a partly used block is skipped', async () => {
  const blocker = createServer()
  blocker.listen(8006, '127.199.7.12')
  await once(blocker, 'listening')
  await expect(startLab({ nodes: 3, guests: 0, base: '127.199.7' })).rejects.toThrow('no free loopback')
  blocker.close()
  const lab = await startLab({ nodes: 3, guests: 0, base: '127.199.7' })
  await lab.close()
})

test.each([
  { nodes: 0 },
  { guests: -1 },
  { base: '10.0' },
  { base: '127.300' },
  { clusters: 4 },
  { version: '6' as '7' },
  { authDelayMs: 0.5 },
])('invalid options are refused: %j', async (options) => {
  await expect(startLab(options)).rejects.toThrow(OptionError)
})

test('the same seed and time give the same bytes, another seed others', async () => {
  const bytes = async (seed: number) => {
    const { ask } = await aLab({ seed, now: () => noon })
    const paths = [
      '/cluster/resources',
      '/nodes/pve1/qemu',
      '/nodes/pve2/storage',
      '/nodes/pve1/status',
      '/nodes/pve1/tasks',
    ]
    return (await Promise.all(paths.map((path) => ask(path)))).map(({ body }) => body)
  }
  const [first, second, other] = [await bytes(7), await bytes(7), await bytes(8)]
  expect(first).toEqual(second)
  expect(other[0]).not.toBe(first[0])
})

test('several clusters have their own guests from 100 on, their own names and versions', async () => {
  const { lab, asker } = await aLab({ nodes: 5, guests: 30, clusters: 3, version: 'mixed-by-cluster' })
  expect(lab.clusters.map(({ name, nodes }) => [name, nodes.length])).toEqual([
    ['prod', 1],
    ['edge', 2],
    ['dr', 2],
  ])
  const headers = { authorization: `PVEAPIToken=${lab.credentials.tokenId}=${lab.credentials.tokenSecret}` }
  const versions = await Promise.all(lab.clusters.map(({ nodes }) => versionOf(nodes[0]!, asker, headers)))
  expect(versions).toEqual(['9.2.10', '8.4.5', '7.4-16'])
  for (const cluster of lab.clusters) {
    expect(lab.control.guests(cluster.name).map(({ vmid }) => vmid)).toEqual(
      Array.from({ length: 10 }, (_, index) => 100 + index),
    )
  }
})

test('standalone hosts are their own only node, without a cluster', async () => {
  const { lab, ask } = await aLab({ nodes: 3, guests: 9, standalone: true })
  expect(lab.clusters.map(({ name, standalone }) => [name, standalone])).toEqual([
    ['pve1', true],
    ['pve2', true],
    ['pve3', true],
  ])
  await lab.control.patchNode('pve3', { cpu: 0.5 })
  expect((await ask('/nodes', { node: 'pve3' })).data).toEqual([
    expect.objectContaining({ node: 'pve3', cpu: 0.5 }),
  ])
  const { data } = await ask('/cluster/status', { node: 'pve2' })
  expect(data).toEqual([expect.objectContaining({ type: 'node', nodeid: 0, name: 'pve2', local: 1 })])
})

test('closing ends everything at once, hanging requests included', async () => {
  // so long that the test would time out if close waited for idle connections
  const lab = await startLab({ nodes: 2, guests: 2, idleCloseMs: 600_000 })
  const { url } = lab.clusters[0]!.nodes[0]!
  lab.control.addFault({ kind: 'hang' })
  const { asker } = await aLab({ nodes: 1, guests: 0 })
  const hanging = asker.ask(url, '/version')
  const failed = expect(hanging).rejects.toThrow()
  await expect.poll(() => lab.requests().total).toBe(1)
  await lab.close()
  await failed
})
