// This file serves tests only, like the package it needs.
import type { Lab } from '@pulse/lab'
import { expect } from 'vitest'
import type { TestServer } from '../testing/server.ts'

/** Adds the first cluster of the lab as the connection `main`. Resolves to its id. */
export async function connectCluster(server: TestServer, lab: Lab, change: object = {}): Promise<string> {
  const [node] = lab.clusters[0]!.nodes
  const { status, text, body } = await server.call('POST', '/api/config/nodes', {
    type: 'pve',
    name: 'main',
    host: node!.url,
    fingerprint: node!.fingerprint,
    tokenName: lab.credentials.tokenId,
    tokenValue: lab.credentials.tokenSecret,
    ...change,
  })
  expect(status, text).toBe(201)
  return (body as { id: string }).id
}
