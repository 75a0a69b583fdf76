import { expect, test } from 'vitest'
import { isSameCluster, memberUrl, readMembership, toClusterEndpoints } from './membership.ts'

const cluster = { type: 'cluster', id: 'cluster', name: 'prod', nodes: 2, quorate: 1, version: 17 }
const pve1 = { type: 'node', id: 'node/pve1', name: 'pve1', nodeid: 4, ip: '192.0.2.11', local: 1, online: 1 }
const pve2 = {
  type: 'node',
  id: 'node/pve2',
  name: 'pve2',
  nodeid: '1',
  ip: '2001:db8::12',
  local: 0,
  online: 0,
}

test('a cluster has a name, members in order and one that answered', () => {
  expect(readMembership([pve2, cluster, pve1])).toEqual({
    clusterName: 'prod',
    quorate: true,
    local: 'pve1',
    members: [
      { name: 'pve1', id: 4, address: '192.0.2.11', online: true },
      { name: 'pve2', id: 1, address: '2001:db8::12', online: false },
    ],
  })
})

test('[facts 1.4] the cluster entry decides: one member with it is a cluster, one without is a standalone host', () => {
  expect(readMembership([cluster, pve1]).clusterName).toBe('prod')
  expect(readMembership([{ ...pve1, nodeid: 0 }])).toMatchObject({ clusterName: undefined, quorate: true })
  expect(readMembership([{ ...cluster, name: undefined }, pve1]).clusterName).toBe('Unknown Cluster')
})

test('[facts 6.3.31] what is no node is no member', () => {
  expect(
    readMembership([cluster, pve1, { type: 'node', nodeid: 0, name: '' }, { type: 'qdevice' }]).members,
  ).toHaveLength(1)
})

test('a name or address that is none never reaches a path or a URL', () => {
  const { members } = readMembership([
    cluster,
    { ...pve1, name: '../access' },
    { ...pve2, ip: 'evil.example/x?' },
  ])
  expect(members).toEqual([expect.objectContaining({ name: 'pve2', address: undefined })])
})

test('the stored form has capitalised keys, a URL on 8006 and nothing for a standalone host', () => {
  const endpoints = toClusterEndpoints(readMembership([cluster, pve1, pve2]), (node) =>
    node === 'pve1' ? 0 : undefined,
  )
  expect(endpoints).toEqual([
    {
      NodeID: '4',
      NodeName: 'pve1',
      Host: 'https://192.0.2.11:8006',
      IP: '192.0.2.11',
      Online: true,
      LastSeen: '1970-01-01T00:00:00.000Z',
    },
    { NodeID: '1', NodeName: 'pve2', Host: 'https://[2001:db8::12]:8006', IP: '2001:db8::12', Online: false },
  ])
  expect(toClusterEndpoints(readMembership([pve1]), () => 0)).toEqual([])
  expect(memberUrl('pve3')).toBe('https://pve3:8006')
})

test('the time of the last contact alone is no news', () => {
  const [endpoint] = toClusterEndpoints(readMembership([cluster, pve1]), () => 0)
  expect(isSameCluster([endpoint!], [{ ...endpoint!, LastSeen: 'later' }])).toBe(true)
  expect(isSameCluster([endpoint!], [{ ...endpoint!, IP: '192.0.2.99' }])).toBe(false)
  expect(isSameCluster([endpoint!], [])).toBe(false)
})
