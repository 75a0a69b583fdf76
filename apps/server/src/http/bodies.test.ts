import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rawClient, type RawClient } from '../testing/raw-client.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const port = () => new URL(server.url).port
const head = (method: string, where: string, ...lines: string[]) =>
  [`${method} ${where} HTTP/1.1`, 'Host: pulse', `X-API-Token: ${adminToken}`, ...lines, '', ''].join('\r\n')

const drained = ({ socket }: RawClient) => new Promise((resolve) => socket.once('drain', resolve))

/** A client that reads only after it has sent everything, like simple programs. */
async function sendsFirst(start: string, piece: Buffer, times: number, last = ''): Promise<RawClient> {
  const client = await rawClient(port(), start)
  client.socket.pause()
  for (let n = 0; n < times && !client.socket.destroyed; n++) {
    if (!client.socket.write(piece)) await Promise.race([client.closed, drained(client)])
  }
  client.socket.end(last)
  client.socket.resume()
  return client
}

describe('a body beyond the limit', () => {
  const megabyte = Buffer.alloc(1024 * 1024, 'x')
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), megabyte, Buffer.from('\r\n')])
  const where = '/api/config/nodes'
  test.each([
    {
      how: 'with its length',
      start: head('POST', where, 'Content-Type: application/json', `Content-Length: ${20 * megabyte.length}`),
      piece: megabyte,
    },
    {
      how: 'in chunks',
      start: head('POST', where, 'Content-Type: application/json', 'Transfer-Encoding: chunked'),
      piece: chunk,
      last: '0\r\n\r\n',
    },
    {
      how: 'for a call that takes none',
      start: head(
        'POST',
        '/api/config/nodes/pve-0/test',
        'Content-Type: application/json',
        `Content-Length: ${20 * megabyte.length}`,
      ),
      piece: megabyte,
    },
  ])('$how is answered so that the caller can read it', async ({ start, piece, last }) => {
    const client = await sendsFirst(start, piece, 20, last)
    await client.closed
    expect(client.received).toMatch(/^HTTP\/1.1 413 /)
    expect(client.received).toMatch(/^connection: close/im)
    const body = JSON.parse(client.received.split('\r\n\r\n')[1]!) as object
    expect(body).toMatchObject({ code: 'payload_too_large', status_code: 413, error: expect.any(String) })
  })

  test('is answered before all of it has come, and the connection ends', async () => {
    const lines = ['Content-Type: application/json', 'Content-Length: 50000000']
    const client = await rawClient(port(), head('POST', where, ...lines) + 'x'.repeat(100))
    await expect.poll(() => client.received).toContain('payload_too_large')
    client.socket.end()
    await client.closed
  })

  test('a caller that is refused for another reason can read that, too', async () => {
    const start = head('POST', where, `Content-Length: ${20 * megabyte.length}`).replace(adminToken, 'wrong')
    const client = await sendsFirst(start, megabyte, 20)
    await client.closed
    expect(client.received).toMatch(/^HTTP\/1.1 401 /)
  })
})

describe('a call without a body', () => {
  const json = { 'content-type': 'application/json' }
  test.each([
    ['DELETE', '/api/config/nodes/pve-0', 404],
    ['DELETE', '/api/security/tokens/none', 404],
    ['DELETE', '/api/guests/metadata/none', 204],
    ['POST', '/api/config/nodes/pve-0/test', 404],
    ['GET', '/api/stats', 200],
  ])('%s %s may say application/json all the same', async (method, where, status) => {
    const answer = await server.call(method, where, undefined, json)
    expect(answer.status, answer.text).toBe(status)
    const zero = await rawClient(
      port(),
      head(method, where, 'Content-Type: application/json', 'Content-Length: 0', 'Connection: close'),
    )
    await zero.ended
    expect(Number(/^HTTP\/1.1 (\d+)/.exec(zero.received)?.[1]), zero.received).toBe(status)
    zero.socket.destroy()
  })

  test('where one is needed, that is said', async () => {
    const answer = await server.call('POST', '/api/config/nodes', undefined, json)
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_json' } })
  })
})
