import { createSelfSigned } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import net from 'node:net'
import tls from 'node:tls'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { responseSizeLimiter, openHttps } from './https.ts'

const limits = { headersMs: 20_000, totalMs: 20_000, maxBytes: 1024 * 1024 }
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n'
let certificate: Awaited<ReturnType<typeof createSelfSigned>>
beforeAll(async () => {
  certificate = await createSelfSigned('own', '127.0.0.1', 'Proxmox', Date.now())
})

/** A host that handles every call with `answer`, and an agent for it. */
async function host(answer: (socket: tls.TLSSocket) => void) {
  const sockets = new Set<net.Socket>()
  const secured: tls.TLSSocket[] = []
  const resumed: boolean[] = []
  let most = 0
  const server = tls.createServer({ cert: certificate.certPem, key: certificate.keyPem })
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket)
    most = Math.max(most, sockets.size)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('secureConnection', (socket) => {
    secured.push(socket)
    resumed.push(socket.isSessionReused())
    socket.on('error', () => socket.destroy())
    socket.on('data', () => answer(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  const https = openHttps(`https://127.0.0.1:${port}`, 'pve1', { by: 'nothing' }, acceleratedClock(20))
  onTestFinished(async () => {
    await https.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    ask: (headers = {}, signal?: AbortSignal) =>
      https.send({ path: '/', headers, ...limits, ...(signal && { signal }) }),
    secured,
    resumed,
    open: () => sockets.size,
    most: () => most,
    close: () => https.close(),
  }
}

test('a connection serves one request after another', async () => {
  const { ask, secured } = await host((socket) => socket.write(`${ok}"ok"`))
  for (let n = 0; n < 3; n++) expect((await ask()).body.toString()).toBe('"ok"')
  expect(secured).toHaveLength(1)
})

test('at most six connections are open, those being made included', async () => {
  const { ask, most } = await host((socket) => socket.write(`${ok}"ok"`))
  await Promise.all(Array.from({ length: 40 }, () => ask()))
  expect(most()).toBe(6)
})

test('a request that cannot be written opens no connection and takes none from others', async () => {
  const { ask, secured } = await host((socket) => setImmediate(() => socket.write(`${ok}"ok"`)))
  await ask()
  await expect(ask({ cookie: 'a\nb' })).rejects.toMatchObject({ code: 'unreachable' })
  await ask()
  const answers = await Promise.all([ask(), ask()])
  expect(answers.map(({ body }) => body.toString())).toEqual(['"ok"', '"ok"'])
  expect(secured).toHaveLength(2)
})

test.each([
  ['closed by the host', (socket: tls.TLSSocket) => socket.destroy()],
  ['on which the host sent data unasked', (socket: tls.TLSSocket) => socket.write(`${ok}"no"`)],
])('a connection %s while it was idle is not used again', async (_case, spoil) => {
  const { ask, secured, open } = await host((socket) => socket.write(`${ok}"ok"`))
  await ask()
  spoil(secured[0]!)
  await expect.poll(open).toBe(0)
  expect((await ask()).body.toString()).toBe('"ok"')
  expect(secured).toHaveLength(2)
})

test('a connection that was idle for too long is closed and not used again', async () => {
  const paused = vi.spyOn(tls.TLSSocket.prototype, 'setTimeout')
  const { ask, secured } = await host((socket) => socket.write(`${ok}"ok"`))
  await ask()
  const idle = paused.mock.contexts.at(-1) as tls.TLSSocket
  idle.emit('timeout')
  expect((await ask()).body.toString()).toBe('"ok"')
  expect(secured).toHaveLength(2)
})

test('a connection that the host ends with its answer is not used again', async () => {
  const { ask, secured } = await host((socket) =>
    socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 4\r\n\r\n"ok"'),
  )
  for (let n = 0; n < 2; n++) expect((await ask()).body.toString()).toBe('"ok"')
  expect(secured).toHaveLength(2)
})

test('a paused answer arrives whole after the host has closed the connection', async () => {
  const others = [1, 2].map(() => responseSizeLimiter.open(0, { pause() {}, resume() {} }))
  for (const other of others) other.grow(1)
  const bytes = 530 * 1024
  const { ask, open } = await host((socket) =>
    socket.end(
      `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`,
    ),
  )
  const answer = ask()
  await expect.poll(() => responseSizeLimiter.heldBytes).toBeGreaterThan(512 * 1024)
  await expect.poll(open).toBe(0)
  for (const other of others) other.release()
  expect((await answer).body).toHaveLength(bytes)
})

test('an answer that ends half-way is an error that may be retried', async () => {
  const { ask } = await host((socket) => socket.end(`${ok}"o`))
  await expect(ask()).rejects.toMatchObject({ code: 'unreachable', reset: true })
})

test('a protocol switch or an end without an answer counts as a closed connection', async () => {
  const upgrading = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'
  const { ask } = await host((socket) => socket.write(upgrading))
  await expect(ask()).rejects.toMatchObject({ code: 'unreachable' })
  const mute = await host((socket) => socket.end())
  await expect(mute.ask()).rejects.toMatchObject({ code: 'unreachable', reset: true })
})

test('the reason phrase is read as UTF-8', async () => {
  const { ask } = await host((socket) =>
    socket.write(Buffer.from('HTTP/1.1 500 kein Gerät “sda”\r\ncontent-length: 0\r\n\r\n')),
  )
  expect(await ask()).toMatchObject({ status: 500, reason: 'kein Gerät “sda”' })
})

test('close ends the requests in flight, and refuses later ones', async () => {
  const { ask, close, open } = await host(() => {})
  const calls = Promise.allSettled(Array.from({ length: 8 }, () => ask()))
  await expect.poll(open).toBe(6)
  await close()
  const ends = [...(await calls), ...(await Promise.allSettled([ask()]))]
  for (const end of ends) expect(end).toMatchObject({ status: 'rejected', reason: { code: 'unreachable' } })
  await expect.poll(open).toBe(0)
})

test('[S18] every connection makes a full handshake: a resumed session shows no certificate', async () => {
  const { ask, secured, resumed, open } = await host((socket) => socket.write(`${ok}"ok"`))
  for (let n = 0; n < 3; n++) {
    await ask()
    secured[n]!.destroy()
    await expect.poll(open).toBe(0)
  }
  expect(resumed).toEqual([false, false, false])
})

test('a request that is given up while it connects ends the connection', async () => {
  const sockets: net.Socket[] = []
  const server = net.createServer((socket) => void sockets.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  const https = openHttps(`https://127.0.0.1:${port}`, 'pve1', { by: 'nothing' }, acceleratedClock(20))
  onTestFinished(async () => {
    await https.close()
    server.close()
  })
  const abort = new AbortController()
  const answer = https.send({ path: '/', headers: {}, ...limits, signal: abort.signal })
  await expect.poll(() => sockets.length).toBe(1)
  const ended = new Promise((resolve) => sockets[0]!.resume().once('close', resolve))
  abort.abort()
  await expect(answer).rejects.toMatchObject({ code: 'timeout' })
  await ended
})
