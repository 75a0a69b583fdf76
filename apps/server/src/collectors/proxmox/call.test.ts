import { expect, test } from 'vitest'
import type { HttpsAnswer, HttpsHost } from '../https.ts'
import type { SourceErrorCode } from '../source-error.ts'
import { callApi } from './call.ts'

const answering = (answer: Partial<HttpsAnswer> & { text?: string }): HttpsHost => ({
  url: 'https://pve1:8006',
  fingerprint: undefined,
  certifiedName: undefined,
  send: () =>
    Promise.resolve({
      status: 200,
      reason: 'OK',
      contentType: 'application/json;charset=UTF-8',
      serverName: 'pve-api-daemon/3.0',
      body: Buffer.from(answer.text ?? '{"data":null}'),
      ...answer,
    }),
  room: 6,
  close: () => Promise.resolve(),
})
const call = (answer: Parameters<typeof answering>[0]) =>
  callApi(answering(answer), 'pve1', { path: '/nodes/pve3/status', headers: {} })

test('the data of an answer is what counts', async () => {
  expect(await call({ text: '{"data":[1],"total":1}' })).toEqual([1])
  expect(await call({})).toBeNull()
})

test.each<[number, string, SourceErrorCode]>([
  [401, 'authentication failure', 'unauthorized'],
  [403, 'Permission check failed (/nodes/pve1, Sys.Audit)', 'forbidden'],
  [404, 'Not Found', 'not_found'],
  [501, "Method 'GET /x' not implemented", 'unsupported'],
  [595, 'No route to host', 'node_offline'],
  [596, 'Connection timed out', 'node_offline'],
  [599, 'Too many redirections', 'server'],
  [408, 'Request Timeout', 'rate_limited'],
  [425, 'Too Early', 'rate_limited'],
  [429, 'Too Many Requests', 'rate_limited'],
  [502, 'Bad Gateway', 'rate_limited'],
  [503, 'Service Unavailable', 'rate_limited'],
  [504, 'Gateway Timeout', 'rate_limited'],
  [400, 'Parameter verification failed.', 'server'],
  [500, "hostname lookup 'pve3' failed - failed to get address info for: pve3", 'node_offline'],
  [500, 'QEMU guest agent is not running', 'server'],
])('[facts 1.1] %i %s is %s, and its reason phrase is reported', async (status, reason, code) => {
  await expect(call({ status, reason, text: '' })).rejects.toMatchObject({
    code,
    message: expect.stringMatching(/^pve1: /) as string,
  })
  await expect(call({ status, reason, text: '' })).rejects.toThrow(reason)
})

test('[proxmox-api 0] without a reason phrase the text of the body is reported', async () => {
  const text = '{"message":"binary not installed: /usr/bin/ceph-mon\\n","data":null}'
  await expect(call({ status: 500, reason: '', text })).rejects.toThrow(
    'binary not installed: /usr/bin/ceph-mon',
  )
})

test.each([
  [401, 'Unauthorized', 'authentication failed - invalid API token secret', 'unauthorized'],
  [403, 'Forbidden', 'permission check failed', 'forbidden'],
  [404, 'Not Found', "Path '/api2/json/x' not found.", 'not_found'],
  [400, 'Bad Request', "no such datastore 'x'", 'server'],
] as const)(
  '[proxmox-api 0] PBS says %i %s, and in a bare text what it means',
  async (status, reason, text, code) => {
    const answer = call({ status, reason, text, contentType: 'application/json' })
    await expect(answer).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`${status} ${text}`) as string,
    })
  },
)

test('the page of a proxy is not repeated as an error text', async () => {
  const answer = call({ status: 502, reason: 'Bad Gateway', text: '<html>nginx</html>' })
  await expect(answer).rejects.toThrow(/\(502 Bad Gateway\)$/)
})

test.each([
  ['a web page', { contentType: 'text/html', text: '<html></html>' }, /web page .* check address and port/],
  ['a web page that says it is JSON', { text: '  <!DOCTYPE html>' }, /web page/],
  ['half an answer', { text: '{"data":[{"vmid":1' }, /not valid JSON/],
  ['no envelope', { text: '[]' }, /not an API answer/],
  ['nothing', { text: '' }, /not valid JSON/],
])('[facts 2.1] %s is a bad answer that says so', async (_case, answer, message) => {
  await expect(call(answer)).rejects.toMatchObject({
    code: 'bad_answer',
    message: expect.stringMatching(message) as string,
  })
})

test('texts of the other side are cut and lose what is not printable', async () => {
  const error = await call({ status: 500, reason: `a\u0000b\u001b[31m${'x'.repeat(500)}`, text: '' }).catch(
    (e: Error) => e,
  )
  expect((error as Error).message.length).toBeLessThan(260)
  expect((error as Error).message).toContain('a b [31m')
})

test('[S11] what shows no sign of Proxmox is not quoted, but its words keep their meaning', async () => {
  const answer = { status: 500, reason: "hostname lookup 'x' failed", text: '', serverName: 'nginx' }
  await expect(call(answer)).rejects.toMatchObject({
    code: 'node_offline',
    message: 'pve1: /nodes/pve3/status: Internal Server Error',
    said: "hostname lookup 'x' failed",
  })
  await expect(call({ ...answer, status: 599, reason: 'x' })).rejects.toThrow(
    /^pve1: \/nodes\/pve3\/status failed \(599\)$/,
  )
})
