import http from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { aFolder, anEngine } from '../fixtures.ts'
import { EngineClient } from './client.ts'

const soon = () => AbortSignal.timeout(200)
const late = () => AbortSignal.timeout(60_000)

test('a response is JSON or empty', async () => {
  const engine = await anEngine((path) => ({ body: path === '/empty' ? '' : { path } }))
  const client = new EngineClient(engine.address)
  expect(await client.get('/info', late())).toEqual({ path: '/info' })
  expect(await client.get('/empty', late())).toBeUndefined()
  client.rest()
})

test.each([
  [
    'what is not there',
    { status: 404, body: { message: 'No such container: x' } },
    'gone',
    /404: No such container: x/,
  ],
  [
    'what Podman has not',
    { status: 404, body: { cause: 'c', message: 'no such container', response: 404 } },
    'gone',
    /no such container/,
  ],
  ['what a proxy refuses', { status: 403, body: '<html>403 Forbidden</html>' }, 'forbidden', /with 403\./],
  ['a fault of the engine', { status: 500, body: { message: 'broken' } }, 'failed', /500: broken/],
  ['what is not JSON', { body: '{"a":' }, 'failed', /not JSON/],
])('%s has an error of its own', async (_what, reply, problem, message) => {
  const client = new EngineClient((await anEngine(() => reply)).address)
  const error = await client.get('/x', late()).catch((error: unknown) => error)
  expect(error).toMatchObject({ problem, message: expect.stringMatching(message) as unknown })
  client.rest()
})

test('a request that times out does not affect others', async () => {
  const engine = await anEngine((path) => (path === '/hangs' ? undefined : { body: {} }))
  const client = new EngineClient(engine.address)
  const hanging = client.get('/hangs', soon())
  expect(await client.get('/info', late())).toEqual({})
  await expect(hanging).rejects.toMatchObject({ problem: 'timeout' })
  client.rest()
})

test('without an engine the error names its address', async () => {
  const socketPath = `${aFolder()}/none.sock`
  const asked = new EngineClient({ socketPath }).get('/info', late())
  await expect(asked).rejects.toMatchObject({
    problem: 'unreachable',
    message: `No engine answers at ${socketPath}.`,
  })
})

test('the size limit covers all responses of the same moment, not each one alone', async () => {
  const socketPath = `${aFolder()}/engine.sock`
  const engine = http.createServer((request, response) => {
    if (request.url === '/endless') response.write('x'.repeat(600))
    else response.end('{}')
  })
  await new Promise<void>((resolve) => void engine.listen(socketPath, resolve))
  onTestFinished(() => {
    engine.closeAllConnections()
    engine.close()
  })
  const client = new EngineClient({ socketPath }, 1_000)
  const problemOf = (signal: AbortSignal) =>
    client.get('/endless', signal).catch(({ problem }: { problem: string }) => problem)
  const ended = new AbortController()
  const problems = [problemOf(ended.signal), problemOf(ended.signal)]
  expect(await Promise.race(problems)).toBe('failed')
  ended.abort()
  expect((await Promise.all(problems)).toSorted()).toEqual(['failed', 'timeout'])
  expect(await client.get('/info', late())).toEqual({})
  const alone = new AbortController()
  const again = problemOf(alone.signal)
  expect(await client.get('/info', late()), 'its bytes do not count any more').toEqual({})
  alone.abort()
  expect(await again).toBe('timeout')
  client.rest()
})
