import { META_ID } from '@pulse/contract'
import http, { type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { given, samplesOf } from '../history/fixtures-history.ts'
import { createCalls } from './call.ts'
import { figureOf, T0 } from './fixtures-stores.ts'
import { createQueries } from './queries.ts'

type Reply = (response: ServerResponse, path: string) => void

/** A server that answers as it likes. */
async function aStore(reply: Reply): Promise<string> {
  const server = http.createServer((request, response) => {
    request.resume()
    request.once('end', () => reply(response, request.url!))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const says =
  (text: string, status = 200, headers = {}): Reply =>
  (response) =>
    response.writeHead(status, headers).end(text)
const result = (series: unknown) =>
  JSON.stringify({ status: 'success', data: { resultType: 'matrix', result: series } })
const endless: Reply = (response) => {
  const more = () => {
    while (!response.destroyed && response.write('[[[[[[[['.repeat(8_192)));
  }
  response.on('drain', more)
  more()
}

const lies: [name: string, reply: Reply, problem: string][] = [
  ['no JSON', says('<html>'), 'it is no query API of Prometheus: the answer is no JSON'],
  ['nothing', says(''), 'it is no query API of Prometheus: the answer is no JSON'],
  ['a list', says('[]'), 'it is no query API of Prometheus: the answer is no object'],
  ['null', says('null'), 'it is no query API of Prometheus: the answer is no object'],
  [
    'an error with status 200',
    says('{"status":"error"}'),
    'it is no query API of Prometheus: the status is not "success"',
  ],
  ['no data', says('{"status":"success"}'), 'it is no query API of Prometheus: data is no object'],
  [
    'a vector',
    says('{"status":"success","data":{"resultType":"vector","result":[]}}'),
    'it is no query API of Prometheus: the result is no matrix',
  ],
  ['no list', says(result({})), 'it is no query API of Prometheus: the result is no list'],
  ['a series that is none', says(result([7])), 'it is no query API of Prometheus: a series is no object'],
  [
    'a series without labels',
    says(result([{ values: [] }])),
    'it is no query API of Prometheus: the labels of a series is no object',
  ],
  [
    'a series without an id',
    says(result([{ metric: {}, values: [] }])),
    'it is no query API of Prometheus: a series has no id or no values',
  ],
  [
    'points that are none',
    says(result([{ metric: { id: META_ID }, values: [1] }])),
    'it is no query API of Prometheus: a point is not a time and a value',
  ],
  [
    'a time that is a text',
    says(result([{ metric: { id: META_ID }, values: [['1', '1']] }])),
    'it is no query API of Prometheus: a point is not a time and a value',
  ],
  [
    'points in another order',
    says(
      result([
        {
          metric: { id: META_ID },
          values: [
            [2, '1'],
            [1, '1'],
          ],
        },
      ]),
    ),
    'it is no query API of Prometheus: its points are not in the order of time',
  ],
  ['deep nesting', says('['.repeat(1_000_000)), 'it is no query API of Prometheus: the answer is no JSON'],
  ['an answer without end', endless, 'its answer is larger than 8 MB'],
  ['status 500', says('out of\u0007 memory', 500), 'it answers with status 500: out of memory'],
  ['status 401', says('', 401), 'it answers with status 401'],
  ['a long error', says('x'.repeat(10_000), 422), `it answers with status 422: ${'x'.repeat(200)}`],
  ['a redirect', says('', 302, { location: 'http://127.0.0.1:1/' }), 'it answers with status 302'],
  ['no answer', () => {}, 'no answer within 0.2 s'],
  ['half an answer', (response) => void response.writeHead(200).write('{'), 'no answer within 0.2 s'],
  ['a connection that ends', (response) => void response.destroy(), 'no answer (ECONNRESET)'],
]

test.each(lies)(
  '[N 5] a store that answers with %s is an error that names it',
  async (_name, reply, problem) => {
    const url = await aStore(reply)
    const isSlow = problem.startsWith('no answer within')
    const queries = createQueries(createCalls({ url }), isSlow ? 200 : 20_000)
    const read = queries.samples(figureOf('meta', 'liveClients'), [META_ID], T0, T0 + 60_000, () => {})
    await expect(read).rejects.toThrow(`${url}: ${problem}`)
    await expect(read).rejects.not.toThrow('x'.repeat(201))
  },
)

test('[N 5] values that are no numbers, and series of other things, are left out', async () => {
  const values = [
    [T0 / 1_000, 'NaN'],
    [T0 / 1_000 + 1, '+Inf'],
    [T0 / 1_000 + 2, '7'],
    [T0 / 1_000 + 100, '8'],
    [1e300, '9'],
  ]
  const url = await aStore((response, path) =>
    says(result(path === '/api/v1/query' ? [{ metric: { id: META_ID }, values }] : []))(response, path),
  )
  const found: number[] = []
  await createQueries(createCalls({ url })).samples(
    figureOf('meta', 'liveClients'),
    [META_ID],
    T0,
    T0 + 60_000,
    (_id, series) => found.push(...series.times),
  )
  expect(new Set(found)).toEqual(new Set([T0 + 2_000]))
})

test('[N 5] periods at other times than those that were asked for are an error', async () => {
  const url = await aStore(says(result([{ metric: { id: META_ID }, values: [[T0 / 1_000 + 7, '1']] }])))
  const read = createQueries(createCalls({ url })).rollup(
    'max',
    figureOf('meta', 'liveClients'),
    [META_ID],
    { first: T0, count: 3, lengthMs: 60_000 },
    () => {},
  )
  await expect(read).rejects.toThrow('the store answers with other times than it was asked for')
})

test('[N 5] a user gets the error, samples wait, and nothing else is affected', async () => {
  let reply = endless
  const url = await aStore((response, path) => reply(response, path))
  const { ticks, history, clock, troubles } = await given({
    elsewhere: { samples: { settings: { url }, mayWrite: () => true }, settle: async () => {} },
  })
  await ticks([0.1, 0.2])
  await expect(samplesOf(history(), 'main:100', clock.now() + 1)).rejects.toMatchObject({
    code: 'history_unavailable',
    message: `The metric history cannot be read: ${url}: its answer is larger than 8 MB`,
  })
  await vi.waitFor(async () => {
    await ticks([0.3])
    expect(troubles.at(-1)).toBe(
      `The store of samples takes none: ${url}: its answer is larger than 8 MB; the newest samples wait in memory.`,
    )
  }, within(60_000))
  reply = says('', 204)
  await vi.waitFor(async () => {
    await ticks([0.3])
    expect(troubles.at(-1)).toBeUndefined()
  }, within(60_000))
  expect(history().figures().lostTicks).toBe(0)
})
