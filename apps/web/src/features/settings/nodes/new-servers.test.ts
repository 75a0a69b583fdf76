import type { DiscoveredServer } from '@pulse/contract'
import { expect, test } from 'vitest'
import { newServers } from './discovery-panel.tsx'
import { aNodeConfig } from './fake-nodes.tsx'

const server = (over: Partial<DiscoveredServer> = {}): DiscoveredServer => ({
  ip: '192.0.2.20',
  port: 8006,
  type: 'pve',
  version: 'Unknown',
  ...over,
})
const shown = (found: DiscoveredServer, ...nodes: Parameters<typeof aNodeConfig>[0][]) =>
  newServers('pve', [found], nodes.map(aNodeConfig)).length === 1

test('only servers of the section’s kind are listed', () => {
  expect(shown(server())).toBe(true)
  expect(shown(server({ type: 'pmg' }))).toBe(false)
})

test.each([
  ['by its address', { host: 'https://192.0.2.20:8006' }],
  ['by its name', { host: 'https://pve2.example:8006' }],
  [
    'as a member of a cluster',
    { clusterEndpoints: [{ NodeID: '2', NodeName: 'pve2', Host: '', IP: '192.0.2.20', Online: true }] },
  ],
])('[facts platform §10.5] what is watched %s is not listed', (_how, node) => {
  expect(shown(server({ hostname: 'pve2.example' }), node)).toBe(false)
})

test('another port, another product or another server is no match', () => {
  expect(shown(server({ port: 8106 }), { host: 'https://192.0.2.20:8006' })).toBe(true)
  expect(shown(server(), { type: 'pmg', host: 'https://192.0.2.20:8006' })).toBe(true)
  expect(shown(server(), { host: 'https://192.0.2.21:8006' })).toBe(true)
})
