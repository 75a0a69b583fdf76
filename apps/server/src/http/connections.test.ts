import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { networks } from '../auth/networks.ts'
import { boundConnections, connectionLimits, type Connections, openFilesLimit } from './connections.ts'
import { type RawClient, rawClient } from '../testing/raw-client.ts'

let server: http.Server
let open: Connections
let port: number
const clients: RawClient[] = []

beforeEach(async () => {
  server = http.createServer((_, response) => response.end('hello'))
  open = boundConnections(server, { total: 10, perAddress: 5 }, networks(['127.0.0.9']))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterEach(async () => {
  open.destroyAll()
  for (const { socket } of clients.splice(0)) socket.destroy()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})

const comes = async (from: string) => {
  const client = await rawClient(port, '', from)
  clients.push(client)
  return client
}
/** Whether a client from this address gets an answer now. */
const isServed = async (from: string) => {
  const client = await rawClient(port, 'GET / HTTP/1.1\r\nHost: pulse\r\nConnection: close\r\n\r\n', from)
  await client.ended
  client.socket.destroy()
  return client.received.includes('hello')
}

describe('[S23] connections that send nothing', () => {
  test('of one address leave room for others', async () => {
    for (let n = 0; n < 8; n++) await comes('127.0.0.2')
    expect(await isServed('127.0.0.2')).toBe(false)
    expect(await isServed('127.0.0.3')).toBe(true)
  })

  test('that end are forgotten', async () => {
    for (let n = 0; n < 5; n++) await comes('127.0.0.2')
    clients[0]!.socket.destroy()
    await expect.poll(() => isServed('127.0.0.2')).toBe(true)
  })

  test('of all together stop at the whole', async () => {
    for (let n = 0; n < 12; n++) await comes(`127.0.1.${n + 1}`)
    expect(await isServed('127.0.2.1')).toBe(false)
  })

  test('of a declared proxy are those of many', async () => {
    for (let n = 0; n < 8; n++) await comes('127.0.0.9')
    expect(await isServed('127.0.0.9')).toBe(true)
  })
})

test('a process that may open few files keeps some for its own work', () => {
  expect(connectionLimits(300)).toEqual({ total: 225, perAddress: 112 })
  expect(connectionLimits(1_048_576)).toEqual({ total: 8_000, perAddress: 4_000 })
  expect(
    openFilesLimit(() => 'Max open files            300                  4096                 files'),
  ).toBe(300)
  expect(
    openFilesLimit(() => 'Max open files            unlimited            unlimited            files'),
  ).toBe(Infinity)
  expect(
    openFilesLimit(() => {
      throw new Error('no such file')
    }),
  ).toBe(1_024)
})
